import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Level } from './grammar.ts';
import { levelIn, specificationOf } from './levels.ts';

const requirement = (id: string, level: Level, specification: string) => ({
  ...{ id, level, specification },
  ...{ section: 's', source: 'c', says: id },
});

test('a run names what it judges by, and that once', () => {
  const all = [
    requirement('doc.one', 'documented', 'Interface'),
    requirement('std.one', 'standard', 'Standard'),
    requirement('std.two', 'gap', 'Standard'),
    requirement('doc.two', 'gap', 'Interface'),
  ];
  const catalogue = { requirements: new Map(all.map((one) => [one.id, one])) };
  assert.equal(specificationOf(catalogue, 'documented'), 'Interface');
  assert.equal(specificationOf(catalogue, 'onem2m'), 'Standard');
});

test('a requirement advises where it is a guest; what is left open is left open everywhere', () => {
  assert.equal(levelIn('documented', requirement('std.one', 'standard', 's')), 'advisory');
  assert.equal(levelIn('onem2m', requirement('doc.one', 'documented', 's')), 'advisory');
  assert.equal(levelIn('onem2m', requirement('std.one', 'standard', 's')), 'standard');
  assert.equal(levelIn('onem2m', requirement('doc.two', 'gap', 's')), 'gap');
});
