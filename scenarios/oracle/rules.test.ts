import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { loadRequirements } from '../engine/files/catalogue.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { plan } from '../engine/files/plan.ts';
import { applyIcs } from '../ics/apply-ics.ts';
import { readRules, rulesFor, rulesOf } from './rules.ts';

test('each rule has a testable requirement, and refers to known ones', () => {
  const { requirements } = loadRequirements();
  for (const dialect of ['documented', 'onem2m'] as const) {
    const rules = rulesOf(dialect);
    const known = new Set(rules.map(({ requirement }) => requirement));
    for (const { requirement, after, unless } of rules) {
      const found = requirements.get(requirement);
      assert.ok(found !== undefined && found.untestable === undefined, requirement);
      assert.ok(found.level !== 'gap', `${requirement} is a gap, which nothing can break`);
      for (const one of [...after, ...unless]) assert.ok(known.has(one) || requirements.has(one), one);
    }
  }
});

test('a denied feature takes out the rules that are about nothing else', () => {
  const all = plan(loadScenarios(), { dialect: 'onem2m' });
  const claims = { PICS_NOD: 'no', PICS_PCH: 'no', PICS_FCNT: 'no', PICS_CBOR: 'no' } as const;
  const ruled = (chosen: typeof all) => new Set(rulesFor('onem2m', chosen).map(({ requirement }) => requirement));
  const [before, after] = [ruled(all), ruled(applyIcs(all, { of: 'ACME', claims }))];
  const gone = [...before].filter((one) => !after.has(one));
  assert.ok(gone.includes('std.polling-channel.create'), gone.join());
  assert.ok(
    gone.every((one) => /polling-channel|flex-container|node|cbor/.test(one)),
    gone.join(),
  );
});

const mistakes = [
  ['types: [ae]\nrules:\n  - rule: a\n    when: { operation: remove }\n    then: { status: 200 }\n', 4],
  ['types: [ae]\nrules:\n  - rule: a\n    when: {}\n    then: { predicate: magic }\n', 5],
  ['types: [ae]\nrules:\n  - rule: a\n    when: {}\n    then: { root: "${given.rn}" }\n', 5],
] as const;

for (const [text, line] of mistakes) {
  test(`a mistake in line ${line} of a rule file is reported with its position`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'rules.yaml');
    writeFileSync(file, text);
    assert.throws(
      () => readRules(file),
      (error) => error instanceof ScenarioFilesError && error.problems[0]?.line === line,
    );
  });
}
