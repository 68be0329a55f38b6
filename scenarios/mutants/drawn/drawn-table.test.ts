import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrawnDeviation } from '../../../sim/index.ts';
import type { DrawnRow } from '../scoring/tables.ts';
import { drawnSettingsOf, drawnTableOf, isInShard } from './drawn-table.ts';

const question = drawnSettingsOf({
  of: 'deviations',
  dialect: 'documented',
  seed: 1,
  count: 5,
  inPairs: false,
  runs: 200,
});
const work = { startedAt: '2027-01-02T03:04:05.678Z', took: 1, drawn: 7, kept: 0 };
const dropped: DrawnDeviation = { when: { type: 'm2m:cnt', operation: 'create' }, does: { drop: 'cni' } };
const late: DrawnDeviation = { when: { type: 'm2m:ae', nth: { from: 3 } }, does: { freeze: 'lbl' } };

function row(number: number, deviations: readonly DrawnDeviation[], more: Partial<DrawnRow> = {}): DrawnRow {
  const nothing = { violations: [], collateral: [], identified: 0, took: 1 };
  return { number, drawn: { deviations }, says: `row ${number}`, verdict: 'not seen', ...nothing, ...more };
}

test('figures count each row by operator, resource type and whatever else its deviations say', () => {
  const seen = { verdict: 'identified', by: 'check', collateral: ['a', 'b'] } as const;
  const rows = [row(4, [late], { verdict: 'seen', by: 'explore' }), row(0, [dropped], seen), row(1, [dropped])];
  const { figures, totals, rows: sorted } = drawnTableOf(question, work, rows);
  assert.deepEqual(
    sorted.map(({ number }) => number),
    [0, 1, 4],
  );
  assert.deepEqual([totals.check, totals.explore, totals.collateral], [1, 1, { rows: 1, requirements: 2 }]);
  const table = figures.map(({ by, is, ...counts }) => [by, is, Object.values(counts).join(' ')]);
  // Rows, seen by check, by explore, identified, with collateral.
  assert.deepEqual(table, [
    ['operator', 'drop', '2 1 0 1 1'],
    ['operator', 'freeze', '1 0 1 0 0'],
    ['resource type', 'm2m:ae', '1 0 1 0 0'],
    ['resource type', 'm2m:cnt', '2 1 0 1 1'],
    ['operation', 'any', '1 0 1 0 0'],
    ['operation', 'create', '2 1 0 1 1'],
    ['occurrence', 'any', '2 1 0 1 1'],
    ['occurrence', 'from n', '1 0 1 0 0'],
  ]);
});

test('a pair counts once at each of its deviations', () => {
  const { figures, totals } = drawnTableOf({ ...question, inPairs: true }, work, [
    row(0, [dropped, late], { identified: 2 }),
  ]);
  const operators = figures.filter(({ by }) => by === 'operator').map(({ is, rows }) => `${is} ${rows}`);
  assert.deepEqual([operators, totals.bothIdentified], [['drop 1', 'freeze 1'], 1]);
  const types = drawnTableOf(question, work, [row(0, [dropped, dropped])]).figures;
  assert.deepEqual(
    types.filter(({ by }) => by === 'resource type').map(({ is, rows }) => `${is} ${rows}`),
    ['m2m:cnt 1'],
  );
});

test('shards share out the ranks, and a part knows when it is whole', () => {
  const parts = [1, 2, 3].map((index) => [0, 1, 2, 3, 4].filter((rank) => isInShard(rank, { index, count: 3 })));
  assert.deepEqual(parts, [[0, 3], [1, 4], [2]]);
  const part = (rows: number, index: number) =>
    drawnTableOf(
      question,
      { ...work, shard: { index, count: 3 } },
      Array.from({ length: rows }, (_, at) => row(at, [late])),
    );
  assert.deepEqual([part(2, 1).interrupted, part(1, 1).interrupted, part(1, 3).interrupted], [false, true, false]);
});
