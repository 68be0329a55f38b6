import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestTests } from './nearest-tests.ts';

test('A test file is nearest to itself', () => {
  assert.deepEqual(nearestTests('.ci/nearest-tests.test.ts', 5), ['.ci/nearest-tests.test.ts']);
});

test('To rows and scenarios those tests are nearest that import what reads them', () => {
  assert.deepEqual(nearestTests('sim/deviations/rows/ae.yaml', 1), ['sim/deviations/language/rows.test.ts']);
  assert.match(String(nearestTests('scenarios/documented/ae.yaml', 3)), /\bload\.test\.ts/);
});

test('The test of its name comes first, then those of its folder, however far away', () => {
  const importers = new Map([
    ['sim/core/a.ts', new Set(['sim/near.test.ts', 'sim/b.ts'])],
    ['sim/b.ts', new Set(['sim/c.ts', 'sim/core/other.test.ts'])],
    ['sim/c.ts', new Set(['sim/core/a.test.ts'])],
  ]);
  const inOrder = ['sim/core/a.test.ts', 'sim/core/other.test.ts', 'sim/near.test.ts'];
  assert.deepEqual(nearestTests('sim/core/a.ts', 5, importers), inOrder);
});

test('Tests that import a file come before those that import what imports it', () => {
  const importers = new Map([
    ['sim/a.ts', new Set(['sim/b.ts', 'sim/a.test.ts'])],
    ['sim/b.ts', new Set(['sim/b.test.ts', 'sim/b.long.test.ts'])],
  ]);
  assert.deepEqual(nearestTests('sim/a.ts', 5, importers), ['sim/a.test.ts', 'sim/b.test.ts']);
  assert.deepEqual(nearestTests('sim/a.ts', 1, importers), ['sim/a.test.ts']);
});
