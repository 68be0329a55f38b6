import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentedOperation } from './documented.ts';
import { smaller } from './smaller.ts';

const retrieve = (what: number): DocumentedOperation => ({ does: 'retrieve', what, form: 'structured', by: 'nobody' });
const discover: DocumentedOperation = { does: 'discover', label: 0, after: 2, kind: null, by: 'nobody' };
const nothingSimpler = () => [];

/** For each, of what its retrievals speak. */
const tried = (...whats: number[]) =>
  [...smaller(whats.map(retrieve), nothingSimpler)].map((operations) =>
    operations.map((one) => ('what' in one ? one.what : -1)),
  );

test('the larger part is left out before the smaller one, and single operations after both', () => {
  assert.deepEqual(tried(0, 0, 0, 0).slice(0, 6), [
    [0, 0],
    [0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
});

test('of one operation nothing is left out; it speaks of all that is younger', () => {
  assert.deepEqual(tried(3), [[0], [1], [2]]);
});

test('an operation goes while another speaks of something younger, since there is less to count', () => {
  assert.ok(tried(0, 5).some(([only, ...others]) => only === 4 && others.length === 0));
});

test('the time of a discovery becomes that of something younger', () => {
  const found = [...smaller([discover], nothingSimpler)].map(([one]) => one);
  assert.deepEqual(found, [
    { ...discover, after: 0 },
    { ...discover, after: 1 },
  ]);
});

test('two of a few operations are left out together, and none of many', () => {
  assert.ok(tried(0, 0, 0, 0, 0).some(({ length }) => length === 3));
  const many = Array.from({ length: 12 }, () => 0);
  assert.deepEqual([...new Set(tried(...many).map(({ length }) => length))], [6, 9, 10, 11]);
});
