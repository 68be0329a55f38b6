import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actionsIn, type Program, programsOf } from './action.ts';

test('each originator of a program has something to do, and every action comes up', () => {
  const made = fc.sample(programsOf(3), { seed: 1, numRuns: 100 });
  assert.ok(made.every(({ originators }) => originators.length === 3 && originators.every(({ length }) => length > 0)));
  const does = made.flatMap(({ before, originators }) => [
    ...before,
    ...originators.flat().map(({ action }) => action),
  ]);
  assert.deepEqual([...new Set(does.map((action) => action.does))].sort(), [
    'create container',
    'create content instance',
    'delete',
    'discover',
    'retrieve',
    'retrieve newest',
    'retrieve oldest',
    'update',
  ]);
});

test('of many originators each does little, so that orders stay few', () => {
  const made = fc.sample(programsOf(12), { seed: 1, numRuns: 50 });
  assert.ok(made.every(({ originators }) => originators.flat().length <= 14));
});

test('shrinking leaves fewer originators, fewer requests and less overlap, and a path leads to what is left', () => {
  const creates = ({ originators }: Program) =>
    originators.filter((turns) => turns.some(({ action }) => action.does === 'create content instance')).length >= 2;
  const details = fc.check(
    fc.property(programsOf(4), (program) => !creates(program)),
    { seed: 2, numRuns: 100 },
  );
  const [smallest] = details.counterexample ?? [];
  assert.ok(smallest !== undefined);
  assert.deepEqual([smallest.before, smallest.originators.length, actionsIn(smallest)], [[], 2, 2]);
  assert.ok(smallest.originators.flat().every(({ pause }) => pause === 0));
  const path = details.counterexamplePath ?? '';
  assert.deepEqual(fc.sample(programsOf(4), { seed: 2, path, numRuns: 1 }), [smallest]);
});
