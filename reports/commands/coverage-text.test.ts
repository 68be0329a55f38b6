import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Coverage,
  coverageOf,
  dialects,
  loadScenarios,
  rulesOf,
  shippedInventory,
} from '../../scenarios/index.ts';
import { contentText } from '../document/terminal.ts';
import { coverageBlocks } from './list.ts';

const linesOf = (...of: Parameters<typeof coverageBlocks>): string[] =>
  contentText(coverageBlocks(...of), { color: false, columns: 80, verbose: true }).split('\n');

const none = { all: 0, answered: 0 };
const coverage: Coverage = {
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
  unknown: ['3GPP', 'ANNC', 'DAU', 'DMR'],
  unchecked: [{ id: 'std.two', reason: 'Nobody can see it.' }],
};

test('areas of test purposes are rows by release; what is missing says why, and rules what they looked at', () => {
  const looked = { 'ae.api': { exchanges: 3, by: { form: { 'CSE-relative': 2, root: 1 } } } };
  const lines = linesOf(coverage, { documented: looked, onem2m: {} });
  const text = lines.join('\n');
  assert.match(text, /documented dialect: 1 statements\n {2}ae\.api {2}3\n {6}form CSE-relative, root$/m);
  const row = (name: string) =>
    lines
      .find((line) => line.startsWith(`  ${name} `))
      ?.trim()
      .split(/ {2,}/);
  assert.deepEqual(row('SUB'), ['SUB', '1 of 1', '1 of 2', '-', '1 of 2']);
  assert.deepEqual(row('all'), ['all', '1 of 1', '1 of 2', '0 of 1', '1 of 3']);
  assert.match(text, /no purpose is known:\n {2}3GPP, ANNC, DAU, DMR$/m);
  assert.match(text, /^ {2}DIS\/001\n {6}No statement of the catalogue answers it\.$/m);
});

test('the coverage of the project fits 80 columns', () => {
  const lines = linesOf(coverageOf(loadScenarios(), dialects.flatMap(rulesOf)), shippedInventory());
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
});
