import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { drawn } from './drawn.ts';
import type { DrawnRow } from './scoring/tables.ts';

/** What is the same in two runs; each run has other names. */
const rest = ({ took: _took, violations, explored, ...row }: DrawnRow) => ({
  ...{ ...row, sequences: explored?.sequences },
  violated: violations.map(({ requirement }) => requirement),
});

test('a seed gives the same deviations, witnesses and verdicts, however many processes there are', async () => {
  const one = await lastOf(drawn({ count: 2, seed: 5, runs: 20, workers: 1 }));
  const other = await lastOf(drawn({ count: 2, seed: 5, runs: 20, workers: 2 }));
  assert.deepEqual(one.rows.map(rest), other.rows.map(rest));
  assert.deepEqual([one.rows.length, one.interrupted, one.dialect, one.seed], [2, false, 'documented', 5]);
  assert.deepEqual([one.drawn, one.figures], [other.drawn, other.figures]);
  for (const { witness, verdict } of one.rows) {
    assert.ok((witness?.requests.length ?? 0) > 0);
    assert.notEqual(witness?.sound, witness?.deviating);
    assert.notEqual(verdict, 'not judged');
  }
});

test('in pairs each is one with the next that is active alone, and the witness shows the two together', async () => {
  const alone = await lastOf(drawn({ count: 4, seed: 5, runs: 0 }));
  const pairs = await lastOf(drawn({ count: 2, seed: 5, runs: 0, inPairs: true }));
  const of = ({ drawn: what }: DrawnRow) => ('deviations' in what ? what.deviations : []);
  assert.deepEqual(pairs.rows.map(of), [alone.rows.slice(0, 2).flatMap(of), alone.rows.slice(2).flatMap(of)]);
  assert.deepEqual([pairs.drawn, pairs.inPairs], [alone.drawn, true]);
  for (const [at, { witness, identified, says }] of pairs.rows.entries()) {
    assert.notEqual(witness?.sound, witness?.deviating);
    assert.ok(identified <= 2);
    assert.equal(
      says,
      alone.rows
        .slice(2 * at, 2 * at + 2)
        .map((row) => row.says)
        .join(' + '),
    );
  }
});

test('permitted variations raise no alarm', async () => {
  const { rows, of } = await lastOf(drawn({ count: 4, seed: 2, of: 'variations' }));
  assert.equal(of, 'variations');
  assert.deepEqual(
    rows.map(({ verdict, witness }) => [verdict, witness]),
    Array(4).fill(['quiet', undefined]),
  );
});

test('a count of none is refused', async () => {
  await assert.rejects(lastOf(drawn({ count: 0 })), UsageError);
});

test('what is drawn for an installation is scored there alone', async () => {
  const over = await lastOf(drawn({ count: 1, seed: 1, runs: 0, world: 'tls' }));
  assert.deepEqual([over.world, over.rows[0]?.says], ['tls', 'certificate: overlook not-yet-valid']);
  assert.notEqual(over.rows[0]?.verdict, 'not judged');
  const pair = await lastOf(drawn({ count: 1, seed: 2, runs: 0, world: 'pair' }));
  assert.equal(pair.rows.length, 1);
  assert.notEqual(pair.rows[0]?.verdict, 'not judged');
});

test('what is so over MQTT only differs from HTTP', async () => {
  const { rows, differs } = await lastOf(drawn({ count: 3, seed: 9201, dialect: 'onem2m', differs: 'mqtt', runs: 24 }));
  assert.equal(differs, 'mqtt');
  assert.deepEqual(
    rows.filter(({ verdict }) => verdict !== 'seen' && verdict !== 'identified').map(({ says }) => says),
    [],
  );
  assert.ok(rows.every(({ violations: [first] }) => first?.expected.length === 1));
});
