import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import { implementationDefined, RulesUsed } from './implementation-defined.ts';

test('what leaves something open is a gap of the catalogue', () => {
  const { normalised, parts } = implementationDefined();
  const gaps = [...Object.values(normalised).flatMap(({ gaps: own = [] }) => own), ...parts.map(({ gap }) => gap)];
  assert.ok(gaps.length > 50, String(gaps.length));
  const { requirements } = loadRequirements();
  assert.deepEqual(
    gaps.filter((id) => requirements.get(id)?.level !== 'gap'),
    [],
  );
});

test('a rule that the table does not have cannot be noted', () => {
  const used = new RulesUsed();
  used.note('times');
  used.note('times');
  used.note('headers');
  assert.throws(() => used.note('time'), /implementation-defined\.yaml has no time/);
  assert.deepEqual(
    used.all().map(({ rule, times }) => [rule, times]),
    [
      ['times', 2],
      ['headers', 1],
    ],
  );
});
