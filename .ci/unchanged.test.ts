import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Unchanged } from './unchanged.ts';

const root = mkdtempSync(join(tmpdir(), 'cselab-unchanged-'));
after(() => rmSync(root, { recursive: true }));
for (const folder of ['certs', 'sim', 'scenarios', 'fixtures', 'reports']) mkdirSync(join(root, folder));
const write = (file: string, text = '') => writeFileSync(join(root, file), text);
for (const file of ['package-lock.json', 'package.json', 'tsconfig.json', 'sim/cse.ts', 'reports/page.ts']) write(file);
const unchanged = () => new Unchanged(root);
const files = ['sim/cse.test.ts', 'scenarios/check.test.ts', 'fixtures/products.test.ts'];
const isKnown = () => files.map((file) => unchanged().has(file));

test('tests are checked again when a file of their layer, or of one below it, is another, and only then', () => {
  assert.deepEqual(isKnown(), [false, false, false]);
  unchanged().keep();
  assert.deepEqual(isKnown(), [true, true, true]);
  write('reports/page.ts', 'another');
  assert.deepEqual(isKnown(), [true, true, true]);
  write('scenarios/check.ts', 'new');
  assert.deepEqual(
    [isKnown(), unchanged().layers],
    [
      [true, false, false],
      ['certs', 'sim'],
    ],
  );
  write('sim/cse.ts', 'another');
  assert.deepEqual([isKnown(), unchanged().layers], [[false, false, false], ['certs']]);
  unchanged().keep();
  write('fixtures/tree.yaml', 'what all share');
  assert.deepEqual([isKnown(), unchanged().layers], [[false, false, false], []]);
});

test('what depends on everything is always checked', () => {
  unchanged().keep();
  const always = [
    'scenarios/engine/architecture.test.ts',
    'reports/page.test.ts',
    'fixtures/help.test.ts',
    '.ci/a.test.ts',
  ];
  assert.deepEqual(
    always.map((file) => unchanged().has(file)),
    always.map(() => false),
  );
});

test('what changes while tests run has not passed', () => {
  const before = unchanged();
  write('certs/pki.ts', 'saved meanwhile');
  before.keep();
  assert.deepEqual(unchanged().layers, []);
});
