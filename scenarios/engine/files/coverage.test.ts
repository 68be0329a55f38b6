import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageText } from '../../coverage-text.ts';
import { shippedInventory } from '../../reference/behaviour.ts';
import { groupOf, testPurposes } from '../grammar/test-purposes.ts';
import { fileOf, planOf } from '../test-cse.ts';
import type { Requirement } from './catalogue.ts';
import { coverageOf } from './coverage.ts';
import { loadScenarios } from './load.ts';

const requirement = (id: string, more: Partial<Requirement>): [string, Requirement] => [
  id,
  { id, says: id, level: 'standard', specification: 's', section: 's', source: 'c', ...more },
];

test('a purpose is answered by a statement with a check, not by one without', (t) => {
  const { scenarios } = planOf(t, fileOf({ one: '- retrieve: /x\n  check: { std.one: { rsc: 2000 } }' }));
  const requirements = new Map([
    requirement('std.one', { answers: ['SUB/CRE/001'] }),
    requirement('std.two', { answers: ['SUB/CRE/002'], untestable: 'Nobody can see it.' }),
  ]);
  const catalogue = { requirements };
  const coverage = coverageOf({ scenarios, catalogue }, ['SUB/CRE/001', 'SUB/CRE/002', 'DIS/001']);
  assert.deepEqual(coverage, {
    groups: [
      {
        group: 'SUB',
        all: 2,
        answered: 1,
        missing: [{ purpose: 'SUB/CRE/002', reasons: ['Nobody can see it.'] }],
      },
      { group: 'DIS', all: 1, answered: 0, missing: [{ purpose: 'DIS/001', reasons: [] }] },
    ],
    unchecked: [{ id: 'std.two', reason: 'Nobody can see it.' }],
  });
  const looked = { 'ae.api': { exchanges: 3, by: { form: { 'CSE-relative': 2, root: 1 } } } };
  const text = coverageText(coverage, { documented: looked, onem2m: {} });
  assert.match(text, /documented dialect: 1 statements\n {2}ae\.api {2}3\n {6}form CSE-relative, root$/m);
  assert.match(text, /^ {2}SUB {6}1 of {3}2$/m);
  assert.match(text, /^ {2}all {6}1 of {3}3$/m);
  assert.match(text, /^ {2}DIS\/001\n {6}No statement of the catalogue answers it\.$/m);
});

test('the list of test purposes has as many as the suite', () => {
  const sizes: Record<string, number> = {};
  for (const purpose of testPurposes) sizes[groupOf(purpose)] = (sizes[groupOf(purpose)] ?? 0) + 1;
  const expected = { GEN: 8, REG: 43, DMR: 70, DIS: 9, SUB: 20, SEC: 18, GMG: 24, LOC: 12, ANNC: 1 };
  assert.deepEqual(sizes, expected);
});

test('the coverage of the project fits 80 columns', () => {
  const long = coverageText(coverageOf(loadScenarios()), shippedInventory())
    .split('\n')
    .filter((line) => line.length > 80);
  assert.deepEqual(long, []);
});
