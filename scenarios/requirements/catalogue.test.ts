import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { loadRequirements } from '../engine/files/catalogue.ts';
import { coverageOf } from '../engine/files/coverage.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { dialects } from '../engine/grammar/dialects.ts';
import { rulesOf } from '../oracle/rules.ts';

const room = new URL('.', import.meta.url);
const { scenarios, catalogue } = loadScenarios();
const requirements = [...catalogue.requirements.values()];
const cited = new Set(
  scenarios.flatMap(({ steps }) => steps.flatMap(({ checks }) => checks.map((one) => one.requirement))),
);
const idsOf = (list: ReadonlyArray<{ readonly id: string }>) => list.map(({ id }) => id);

/** The ids as they are written, repetitions included. */
function writtenIds(): string[] {
  const files = readdirSync(room).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((name) => {
    const document = parseDocument(readFileSync(new URL(name, room), 'utf8'), { uniqueKeys: false });
    const parts = listed(document.get('sections')).flatMap((section) =>
      ['requirements', 'gaps'].map((part) => (isMap(section) ? section.get(part) : undefined)),
    );
    const stated = parts.flatMap((part) => (isMap(part) ? part.items.map(({ value }) => value) : []));
    return stated.flatMap((below) =>
      isMap(below) ? below.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : [],
    );
  });
}

const listed = (sections: unknown): readonly unknown[] => (isSeq(sections) ? sections.items : []);

test('every check cites a requirement of the catalogue', () => {
  const unknown = [...cited].filter((id) => !catalogue.requirements.has(id));
  assert.deepEqual(unknown, []);
});

test('every requirement that can be tested has a check', () => {
  const unchecked = requirements.filter(({ id, untestable }) => untestable === undefined && !cited.has(id));
  assert.deepEqual(idsOf(unchecked), []);
});

test('no requirement that cannot be tested has a check', () => {
  const checked = requirements.filter(({ id, untestable }) => untestable !== undefined && cited.has(id));
  assert.deepEqual(idsOf(checked), []);
});

test('no scenario names one request identifier twice: a CSE may take the second request for the first', () => {
  const named = (step: object): string[] => {
    const { headers, raw } = step as { headers?: Record<string, unknown>; raw?: { headers?: Record<string, unknown> } };
    const all = Object.entries({ ...headers, ...raw?.headers });
    return all.flatMap(([name, value]) => (/^x-m2m-ri$/i.test(name) && typeof value === 'string' ? [value] : []));
  };
  const twice = scenarios.filter(({ given, steps }) => {
    const all = [...given, ...steps].flatMap((one) => named('step' in one ? one.step : one));
    return new Set(all).size < all.length;
  });
  assert.deepEqual(idsOf(twice), []);
});

test('no id is written twice', () => {
  const written = writtenIds();
  assert.deepEqual(
    written.filter((id, index) => written.indexOf(id) !== index),
    [],
  );
  assert.equal(written.length, loadRequirements().requirements.size);
});

test('the catalogue holds at least 150 requirements, and at least 100 that the specification states and a run can judge', () => {
  assert.ok(requirements.length >= 150, `${requirements.length} requirements`);
  const judged = requirements.filter(({ level, untestable }) => level === 'documented' && untestable === undefined);
  assert.ok(judged.length >= 100, `${judged.length} documented requirements that can be judged`);
});

test('every scenario checks something', () => {
  const idle = scenarios.filter(({ steps }) => steps.every(({ checks }) => checks.length === 0));
  assert.deepEqual(idsOf(idle), []);
});

test('no scenario removes the CSE base', () => {
  const bases = new Set(['/${base}', '/~/${cse}/${base}', '/_/${sp}/${cse}/${base}', '/']);
  const reckless = scenarios.filter(({ given, steps }) =>
    [...given, ...steps].some(({ step }) => {
      if ('delete' in step) return bases.has(step.delete);
      return 'raw' in step && 'method' in step.raw && step.raw.method === 'DELETE' && bases.has(step.raw.path);
    }),
  );
  assert.deepEqual(idsOf(reckless), []);
});

test('the ids of what concerns the standard begin with std., and no others', () => {
  const misplaced = requirements.filter(({ id, level }) => {
    const ofTheStandard = id.startsWith('std.');
    return level !== 'gap' && (level === 'standard') !== ofTheStandard;
  });
  assert.deepEqual(idsOf(misplaced), []);
});

test('every requirement is checked in the dialect in which it counts', () => {
  const foreign = requirements.filter((requirement) => {
    const home = requirement.id.startsWith('std.') ? 'onem2m' : 'documented';
    const checking = scenarios.filter(({ steps }) =>
      steps.some(({ checks }) => checks.some((check) => check.requirement === requirement.id)),
    );
    return checking.length > 0 && !checking.some(({ dialects }) => dialects.has(home));
  });
  assert.deepEqual(idsOf(foreign), []);
});

test('each test purpose of the groups that concern a CSE is answered, or it is said why not', () => {
  const wanted = new Set(['GEN', 'REG', 'DMR', 'DIS', 'SUB', 'SEC', 'GMG']);
  const { areas } = coverageOf({ scenarios, catalogue }, dialects.flatMap(rulesOf));
  const covered = areas.filter(({ area }) => wanted.has(area));
  const silent = covered.flatMap(({ missing }) => missing.filter(({ reasons }) => reasons.length === 0));
  assert.deepEqual(
    silent.map(({ purpose }) => purpose),
    [],
  );
  assert.equal(
    covered.reduce((sum, { all }) => sum + all, 0),
    209,
  );
});

test('no documented requirement is judged by the one status of a refusal, of which the specification shows none', () => {
  const isDocumented = (id: string) => catalogue.requirements.get(id)?.level === 'documented';
  const exact = scenarios.flatMap(({ id, steps }) =>
    steps.flatMap(({ checks }) =>
      checks.flatMap(({ requirement, check }) => {
        const { status } = check as { readonly status?: unknown };
        return isDocumented(requirement) && typeof status === 'number' && status >= 400
          ? [`${id}: ${requirement}`]
          : [];
      }),
    ),
  );
  assert.deepEqual(exact, []);
});
