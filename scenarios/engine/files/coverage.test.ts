import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf, areas, testPurposes } from '../grammar/test-purposes.ts';
import { fileOf, planOf } from '../test-cse.ts';
import type { Requirement } from './catalogue.ts';
import { coverageOf } from './coverage.ts';

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
  const purposes = new Map([
    ['SUB/CRE/001', ['1', '2']],
    ['SUB/CRE/002', ['2']],
    ['DIS/001', []],
  ] as const);
  const coverage = coverageOf({ scenarios, catalogue }, [], purposes);
  const none = { all: 0, answered: 0 };
  assert.deepEqual(coverage, {
    areas: [
      {
        area: 'SUB',
        all: 2,
        answered: 1,
        releases: { '1': { all: 1, answered: 1 }, '2': { all: 2, answered: 1 }, 'not known': none },
        missing: [{ purpose: 'SUB/CRE/002', reasons: ['Nobody can see it.'] }],
      },
      {
        area: 'DIS',
        all: 1,
        answered: 0,
        releases: { '1': none, '2': none, 'not known': { all: 1, answered: 0 } },
        missing: [{ purpose: 'DIS/001', reasons: [] }],
      },
    ],
    unknown: areas.filter((area) => !['SUB', 'DIS'].includes(area)),
    unchecked: [{ id: 'std.two', reason: 'Nobody can see it.' }],
  });
});

test('what a rule judges needs no check to count', (t) => {
  const { scenarios } = planOf(t, fileOf({ one: '- retrieve: /x' }));
  const catalogue = { requirements: new Map([requirement('std.one', { answers: ['SUB/CRE/001'] })]) };
  const purposes = new Map([['SUB/CRE/001', ['1']]] as const);
  const answered = (rules: { requirement: string }[]) => coverageOf({ scenarios, catalogue }, rules, purposes);
  assert.equal(answered([]).areas[0]?.answered, 0);
  assert.equal(answered([{ requirement: 'std.one' }]).areas[0]?.answered, 1);
  assert.deepEqual(answered([{ requirement: 'std.one' }]).unchecked, []);
});

test('the list of test purposes has as many as the suite', () => {
  const sizes: Record<string, number> = {};
  for (const [purpose, { length }] of testPurposes)
    if (length > 0) sizes[areaOf(purpose)] = (sizes[areaOf(purpose)] ?? 0) + 1;
  const expected = { GEN: 8, REG: 43, DMR: 70, DIS: 9, SUB: 20, SEC: 18, GMG: 24, LOC: 12, ANNC: 1 };
  assert.deepEqual(sizes, expected);
});
