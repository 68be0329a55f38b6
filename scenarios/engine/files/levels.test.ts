import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Level } from '../grammar/grammar.ts';
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
  assert.equal(
    levelIn({ dialect: 'documented', level: 'documented' }, requirement('std.one', 'standard', 's')),
    'advisory',
  );
  assert.equal(
    levelIn({ dialect: 'onem2m', level: 'documented' }, requirement('doc.one', 'documented', 's')),
    'advisory',
  );
  assert.equal(
    levelIn({ dialect: 'onem2m', level: 'documented' }, requirement('std.one', 'standard', 's')),
    'standard',
  );
  assert.equal(levelIn({ dialect: 'onem2m', level: 'documented' }, requirement('doc.two', 'gap', 's')), 'gap');
});

test('whoever asks for the level of the standard lets its requirements count, and what is left open stays so', () => {
  const strict = { dialect: 'documented', level: 'standard' } as const;
  assert.equal(levelIn(strict, requirement('std.one', 'standard', 's')), 'standard');
  assert.equal(levelIn(strict, requirement('doc.one', 'documented', 's')), 'documented');
  assert.equal(levelIn(strict, requirement('std.two', 'gap', 's')), 'gap');
});
