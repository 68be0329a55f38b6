import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../engine/basics/diagnostics.ts';
import type { RunResult } from '../engine/results/result.ts';
import { pruneBaseline, updateBaseline } from './edit.ts';
import { explainBaseline } from './explain.ts';
import { failed, passed, runOf, scenario, step } from './testing/result.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-baseline-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

function written(text: string): string {
  files += 1;
  const path = join(folder, `known-${files}.yaml`);
  writeFileSync(path, text);
  return path;
}

const create = 'create ae in /onem2m';
const id = 'documented/ae/create';
const absent = failed('ae.ri', 'attribute ri is absent');
const lower = failed('ae.rn', 'attribute rn is "x"', { intermittent: true });
const ofAGap = failed('wire.gap', 'status 200', { level: 'gap' });
const first = runOf([scenario(id, [step(create, [absent, lower, ofAGap])])]);

test('a baseline is made where there is none: what counts and failed, one entry each', () => {
  const { text, added } = updateBaseline(join(folder, 'new.yaml'), first);
  assert.deepEqual(
    added.map(({ requirement, intermittent = false }) => [requirement, intermittent]),
    [
      ['ae.ri', false],
      ['ae.rn', true],
    ],
  );
  assert.match(
    text,
    /^# yaml-language-server: \$schema=\S+\/scenarios\/baseline\.schema\.json\n# Known deviations of one target.*\n#.*\n\ndeviations:\n {2}- scenario: documented\/ae\/create\n/,
  );
  assert.match(text, / {4}step: create ae in \/\$\{base\}\n/);
  assert.match(text, / {4}first seen: 2026-11-21\n {4}last seen: 2026-11-21\n$/);
});

test('what people wrote stays: words, comments, order and quotes', () => {
  const made = updateBaseline(join(folder, 'new.yaml'), first).text;
  const edited = made
    .replace('deviations:', 'about: "our gateway"\n# the list\ndeviations:')
    .replace('    requirement: ae.ri\n', "    reason: 'the vendor: knows'\n    requirement: ae.ri # since spring\n");
  const path = written(edited);
  assert.equal(updateBaseline(path, first).text, edited, 'nothing new changes nothing');
  const later = runOf([scenario(id, [step(create, [absent, failed('ae.ct', 'attribute ct is 7')])])], {
    startedAt: '2027-01-05T00:00:00.000Z',
  });
  const { text, added, seen } = updateBaseline(path, later);
  assert.deepEqual([added.map(({ requirement }) => requirement), seen.length], [['ae.ct'], 1]);
  const expected = edited.replace('last seen: 2026-11-21', 'last seen: 2027-01-05');
  assert.ok(text.startsWith(expected), text);
  assert.match(text.slice(expected.length), /^ {2}- scenario: documented\/ae\/create\n {4}requirement: ae\.ct\n/);
});

test('an older report does not turn the clock back', () => {
  const path = written(updateBaseline(join(folder, 'new.yaml'), first).text);
  const older = runOf([scenario(id, [step(create, [absent])])], { startedAt: '2026-01-01T00:00:00.000Z' });
  assert.doesNotMatch(updateBaseline(path, older).text, /2026-01-01/);
});

test('another failure of a known check is added beside it, and told', () => {
  const path = written(updateBaseline(join(folder, 'new.yaml'), first).text);
  const other = runOf([scenario(id, [step(create, [failed('ae.ri', 'attribute ri is 7')])])]);
  const { added, otherwise } = updateBaseline(path, other);
  assert.deepEqual([added.length, otherwise.map(({ requirement }) => requirement)], [1, ['ae.ri']]);
});

test('advice is taken in only where it makes a run red', () => {
  const advice = [scenario(id, [step(create, [failed('std.x', 'status 200', { level: 'advisory' })])])];
  assert.equal(updateBaseline(join(folder, 'new.yaml'), runOf(advice)).added.length, 0);
  const strictness = { level: 'documented', failOn: ['violations', 'advice'], minEvidence: 1 } as const;
  assert.equal(updateBaseline(join(folder, 'new.yaml'), runOf(advice, { strictness })).added.length, 1);
});

test('prune removes what was seen to pass, and nothing else', () => {
  const path = written(
    updateBaseline(join(folder, 'new.yaml'), first).text.replace(
      '    requirement: ae.ri\n',
      '    requirement: ae.ri # gone\n',
    ),
  );
  const fixed = runOf([scenario(id, [step(create, [passed('ae.ri'), passed('ae.rn')])], 'passed')]);
  const { text, removed } = pruneBaseline(path, fixed);
  assert.deepEqual(
    removed.map(({ requirement }) => requirement),
    ['ae.ri'],
    'what comes and goes stays',
  );
  assert.doesNotMatch(text, /ae\.ri/);
  assert.match(text, /ae\.rn/);
  assert.equal(pruneBaseline(path, runOf([])).removed.length, 0);
  assert.throws(() => pruneBaseline(join(folder, 'nowhere.yaml'), fixed), UsageError);
});

test('what remains when everything is pruned is a baseline still', () => {
  const only = runOf([scenario(id, [step(create, [absent])])]);
  const path = written(updateBaseline(join(folder, 'new.yaml'), only).text);
  const { text } = pruneBaseline(path, runOf([scenario(id, [step(create, [passed('ae.ri')])], 'passed')]));
  assert.match(text, /^deviations: \[\]$/m);
  assert.equal(updateBaseline(written(text), only).added.length, 1);
});

test('an entry is explained with its requirement, its end and what became of it', () => {
  const text = updateBaseline(join(folder, 'new.yaml'), first).text;
  const path = written(text.replace('    requirement: ae.ri\n', '    requirement: ae.ri\n    expires: 2027-03-31\n'));
  const standing = (today: string, run = first) => explainBaseline(path, today, run).map((one) => one.standing);
  assert.deepEqual(standing('2027-01-01'), ['excused', 'excused']);
  assert.deepEqual(standing('2027-03-20'), ['about to expire', 'excused']);
  assert.deepEqual(standing('2027-03-31'), ['about to expire', 'excused']);
  assert.deepEqual(standing('2027-04-01'), ['expired', 'excused']);
  const fixed = runOf([scenario(id, [step(create, [passed('ae.ri'), passed('ae.rn')])], 'passed')]);
  assert.deepEqual(standing('2027-01-01', fixed), ['stale', 'excused']);
  const [explained] = explainBaseline(path, '2027-03-29');
  assert.equal(explained?.says, '2 more days until 2027-03-31');
  assert.ok(explained?.requirement?.says);
  assert.equal(explained?.seen, undefined);
});

test('what a rule finds is taken in once, known wherever it is, and stale when it is gone', () => {
  const byRule = (requirement: string, actual: string) => failed(requirement, actual, { byRule: true });
  const other = 'documented/container/create';
  const found = runOf([
    scenario(other, [step(create, [byRule('ae.ri', 'attribute ri is absent'), byRule('ae.nl', 'attribute nl is 7')])]),
    scenario(id, [step(create, [absent, byRule('ae.nl', 'attribute nl is 7')])]),
  ]);
  const { text, added } = updateBaseline(join(folder, 'new.yaml'), found);
  assert.deepEqual(
    added.map(({ scenario: where, requirement, step: at }) => [where, requirement, at !== undefined]),
    [
      [id, 'ae.ri', true],
      ['*', 'ae.nl', false],
    ],
  );
  const path = written(text);
  assert.deepEqual(updateBaseline(path, found).added, []);
  assert.deepEqual(pruneBaseline(path, found).removed, []);
  const elsewhere = runOf([scenario(other, [step(create, [byRule('ae.nl', 'attribute nl is 8')])])]);
  assert.deepEqual(updateBaseline(path, elsewhere).added.length, 1);
  const unchecked = { id: 'ae.rn', verdict: 'excluded' } as RunResult['requirements'][number];
  const part = runOf([scenario(other, [step(create, [passed('ae.nl')])])], { requirements: [unchecked] });
  assert.deepEqual(pruneBaseline(path, part).removed, [], 'a part of a run does not look everywhere');
  const gone = runOf([scenario(other, [step(create, [passed('ae.nl')])])]);
  assert.deepEqual(
    pruneBaseline(path, gone).removed.map(({ requirement }) => requirement),
    ['ae.nl'],
  );
});

test('an entry about a requirement of a team is known with the file that states it', () => {
  const rules = written(
    'specification: House\nlevel: documented\nsections:\n  - section: a\n    requirements: { b: { house.named: c } }\n',
  );
  const signature = '0123456789 attribute rn is absent';
  const path = written(`deviations: [{ scenario: "*", requirement: house.named, signature: ${signature} }]\n`);
  const standing = (ownRules: string[]) => explainBaseline(path, '2027-01-01', undefined, ownRules)[0]?.standing;
  assert.deepEqual([standing([]), standing([rules])], ['unknown', 'excused']);
});
