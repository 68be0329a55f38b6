import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DrawnTable, drawnTableOf, UsageError } from '../../scenarios/index.ts';
import { mergedDrawn } from '../commands/merge.ts';
import { drawnDocument } from '../mutants/drawn-document.ts';
import { sampleDrawn } from '../mutants/testing/sample-drawn.ts';

const whole: DrawnTable = { ...sampleDrawn, world: 'pair' };

function part(index: number, more: Partial<DrawnTable> = {}) {
  const { startedAt, took, drawn, rows } = whole;
  const own = rows.filter((_, rank) => rank % 2 === index - 1);
  const { totals: _totals, figures: _figures, rows: _rows, ...question } = { ...whole, ...more };
  const shard = { index, count: 2 };
  return { path: `${index}.json`, result: drawnTableOf(question, { startedAt, took, drawn, kept: 1, shard }, own) };
}

test('two parts give the rows, totals and figures of the whole, and say where it was checked', () => {
  const merged = mergedDrawn([part(2), part(1)]);
  const { shard: _none, ...rest } = merged;
  assert.deepEqual(rest, whole);
  assert.match(drawnDocument(merged).headline, /of the documented dialect in a pair seen/);
});

test('parts of different questions do not fit', () => {
  for (const [other, why] of [
    [{ seed: 8 }, /what was drawn/],
    [{ world: 'tls' }, /what was drawn/],
    [{ runs: 5 }, /sequences of explore/],
    [{ version: '9' }, /version of cselab/],
  ] as const)
    assert.throws(
      () => mergedDrawn([part(1), part(2, other)]),
      (error) => error instanceof UsageError && why.test(error.message),
    );
  assert.throws(() => mergedDrawn([part(1), part(1)]), /both shard 1/);
});
