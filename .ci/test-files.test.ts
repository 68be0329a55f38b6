import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import {
  containerTestFiles,
  filesOf,
  isolated,
  packageTestFiles,
  startOrder,
  testFolders,
  testGroups,
} from './test-files.ts';
import { aboutAll, harnessTests } from './unchanged.ts';

test('every file of tests is run by one process, or by a gate of its own', () => {
  const run = [...testGroups().flatMap(([, files]) => files), ...containerTestFiles, ...packageTestFiles].sort();
  const isAll = process.env.CSELAB_TESTS === 'all';
  const all = testFolders.flatMap((folder) => filesOf(folder, isAll ? /\.test\.ts$/ : /(?<!\.long)\.test\.ts$/)).sort();
  assert.ok(run.length > 300);
  assert.deepEqual(run, all);
});

test('no two processes have the same name', () => {
  const names = testGroups().map(([name]) => name);
  assert.equal(new Set(names).size, names.length, names.join());
});

test('what is begun first is there', (t) => {
  const { CSELAB_TESTS: before = '' } = process.env;
  t.after(() => Object.assign(process.env, { CSELAB_TESTS: before }));
  process.env.CSELAB_TESTS = 'all';
  const names = new Set(testGroups().map(([name]) => name.replace('.test.ts', '')));
  assert.deepEqual(
    startOrder.filter((name) => !names.has(name)),
    [],
  );
});

test('what is said of a file of tests is said of one that there is', () => {
  const named = [...isolated, ...harnessTests, ...aboutAll, ...containerTestFiles, ...packageTestFiles];
  assert.deepEqual(
    named.filter((file) => !existsSync(file)),
    [],
  );
});
