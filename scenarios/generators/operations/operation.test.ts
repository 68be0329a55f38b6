import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DocumentedOperation, operation } from './documented.ts';
import { longestSequence, sequencesOf } from './smaller.ts';

const sequences = sequencesOf<DocumentedOperation>(operation);
const settings = { seed: 1, numRuns: 50 };

test('every operation comes up, in sequences that are neither empty nor too long', () => {
  const made = fc.sample(sequences, settings);
  assert.deepEqual([...new Set(made.flat().map(({ does }) => does))].sort(), [
    'advance time',
    'create',
    'delete',
    'delete newest or oldest',
    'discover',
    'retrieve',
    'retrieve newest or oldest',
    'update',
    'wrong',
  ]);
  assert.ok(made.every(({ length }) => length >= 1 && length <= longestSequence));
});

test('the sequences of a seed are the same each time, and a path leads to one of them', () => {
  const made = fc.sample(sequences, settings);
  assert.deepEqual(fc.sample(sequences, settings), made);
  assert.deepEqual(fc.sample(sequences, { seed: 1, path: '17', numRuns: 1 }), [made[17]]);
});

test('shrinking leaves out everything that a failure does not need, and takes the simplest of the rest', () => {
  const needs = (operations: readonly DocumentedOperation[]) =>
    operations.filter(({ does }) => does === 'update').length >= 1 &&
    operations.some(({ does }) => does === 'discover');
  const details = fc.check(
    fc.property(sequences, (operations) => !needs(operations)),
    { seed: 3, numRuns: 100 },
  );
  const [smallest = []] = details.counterexample ?? [];
  assert.deepEqual(smallest.map(({ does }) => does).sort(), ['discover', 'update']);
  assert.deepEqual(
    smallest.find(({ does }) => does === 'discover'),
    { does: 'discover', label: 0, after: null, kind: null, by: 'nobody' },
  );
  const again = fc.sample(sequences, { seed: 3, path: details.counterexamplePath ?? '', numRuns: 1 });
  assert.deepEqual(again, [smallest]);
});

test('what is created shrinks to one application entity without anything special', () => {
  const details = fc.check(
    fc.property(sequences, (operations) => !operations.some(({ does }) => does === 'create')),
    { seed: 4, numRuns: 100 },
  );
  const [smallest = []] = details.counterexample ?? [];
  const plain = { below: 0, name: 0, form: 'structured', labels: [], content: 0, limit: {}, by: 'nobody' };
  assert.deepEqual(smallest, [{ does: 'create', kind: 'ae', ...plain, base64: false, times: 1 }]);
});
