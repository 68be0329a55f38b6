import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../engine/files/diagnostics.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import type { Deviation } from '../../engine/targets/embedded/simulated-deviations.ts';
import type { Sight } from '../mutant.ts';
import { drawn } from './drawn.ts';
import { type DrawnRow, verdictOn, verdictOnSound } from './drawn-row.ts';

const rest = ({ took: _took, ...row }: DrawnRow) => row;

test('a seed gives the same deviations, witnesses and verdicts, however many processes there are', async () => {
  const one = await lastOf(drawn({ count: 3, seed: 5, workers: 2 }));
  const other = await lastOf(drawn({ count: 3, seed: 5, workers: 3 }));
  assert.deepEqual(one.rows.map(rest), other.rows.map(rest));
  assert.deepEqual([one.rows.length, one.interrupted, one.dialect, one.seed], [3, false, 'documented', 5]);
  assert.ok(one.drawn >= 3);
  for (const { witness, verdict } of one.rows) {
    assert.ok((witness?.requests.length ?? 0) > 0);
    assert.notEqual(witness?.sound, witness?.deviating);
    assert.notEqual(verdict, 'not judged');
  }
});

test('what everybody has to take raises no alarm, and is told otherwise than a deviation', async () => {
  const { rows, of } = await lastOf(drawn({ count: 4, seed: 2, of: 'variations' }));
  assert.equal(of, 'variations');
  assert.deepEqual(
    rows.map(({ verdict, witness }) => [verdict, witness]),
    Array(4).fill(['quiet', undefined]),
  );
  const alarm = { ...sight('container.cni', 'absent') };
  assert.deepEqual(
    [
      verdictOnSound(alarm),
      verdictOnSound({ ...alarm, violations: [] }),
      verdictOnSound({ ...alarm, violations: [], scenarios: 0 }),
    ],
    ['false alarm', 'quiet', 'not judged'],
  );
});

test('whoever asks for none is told so', async () => {
  await assert.rejects(lastOf(drawn({ count: 0 })), UsageError);
});

const sight = (requirement: string, actual: string): Sight => ({
  violations: [{ requirement, scenario: 's', expected: ['as it should be'], actual }],
  ...{ scenarios: 3, troubles: [], took: 1 },
});
const about = (does: Deviation['does'], ...attributes: string[]) =>
  ({ when: { operation: 'create' }, does, attributes }) as const;

test('identified is what the first violation names', () => {
  const dropped = about({ drop: 'cni' }, 'cni');
  assert.equal(verdictOn(sight('container.cni', 'it is absent'), dropped), 'identified');
  assert.equal(verdictOn(sight('container.new', 'attribute cni is absent'), dropped), 'identified');
  assert.equal(verdictOn(sight('container.cnisomething', 'other'), dropped), 'seen');
  assert.equal(verdictOn(sight('container.create.status', 'status 200'), about({ succeed: 2000 })), 'identified');
  assert.equal(verdictOn(sight('latest.newest', 'con is old'), about({ lose: 'first' })), 'seen');
  const nothing: Sight = { violations: [], scenarios: 3, troubles: [], took: 1 };
  assert.equal(verdictOn(nothing, dropped), 'not seen');
  assert.equal(verdictOn({ ...nothing, troubles: ['broken'] }, dropped), 'not judged');
});
