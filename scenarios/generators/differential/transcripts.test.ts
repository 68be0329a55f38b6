import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import { nowhere } from '../../engine/files/scenario-entries.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../../engine/results/result.ts';
import { byTheOtherWire } from '../../engine/running/scenario/cleanup.ts';
import type { SideName } from './difference.ts';
import { RulesUsed } from './implementation-defined.ts';
import { transcriptDifferences } from './transcripts.ts';

const cse = { base: 'cse-in', cseId: 'id-in', spId: 'openmtc.org' };
const names = { A: { ...cse, label: 'cl-a-1' }, B: { ...cse, label: 'cl-b-1' } };

interface Said {
  readonly side: SideName;
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
  readonly status?: number;
  readonly rsc?: number;
  readonly shows?: object;
  readonly checks?: readonly CheckResult[];
  readonly phase?: StepResult['phase'];
  readonly note?: string;
}

/** In the words of one side: `~` stands for its label. */
function step({ side, method = 'GET', path = '/cse-in/~', body, ...answer }: Said): StepResult {
  const { status = 200, rsc = 2000, shows, checks = [], phase = 'step', note } = answer;
  const own = (text: string) => text.replaceAll('~', names[side].label);
  const request = { method, path: own(path), headers: [], ...(body && { body: own(JSON.stringify(body)) }) };
  const headers = [['X-M2M-RSC', String(rsc)]] as const;
  const received = { status, headers, body: shows === undefined ? '' : own(JSON.stringify(shows)) };
  const exchange = { request, answer: received, at: 0, took: 1, curl: '' };
  return { phase, ...(note && { note }), title: own(`${method} ${path}`), exchange, checks };
}

function scenario(steps: readonly StepResult[]): ScenarioResult {
  const said = { id: 's', feature: 'f', title: 't', tags: [], place: nowhere, leftBehind: [], took: 1 };
  return { ...said, state: 'passed', steps };
}

function parted(said: (side: SideName) => readonly StepResult[], isOne = false) {
  const { requirements } = loadRequirements();
  const compared: string[] = [];
  const shown = transcriptDifferences(
    { A: scenario(said('A')), B: scenario(said('B')) },
    {
      ...{ names, requirements, used: new RulesUsed(), crosses: true, shared: { isOne }, dialect: 'onem2m' },
      ...{ isChecked: () => true, isReported: () => true, compared: ({ about }) => compared.push(about.operation) },
    },
  );
  return { compared, found: [...shown.values()] };
}

const container = (side: SideName, more: object = {}) => ({
  'm2m:cnt': { ri: `cnt-${side}`, rn: '~', pi: 'id-in', ty: 3, ct: '20261129T120000', lt: '20261129T120000', ...more },
});

test('a representation within an answer is compared by what it shows, with and without a prefix', () => {
  const found = (prefix: string, mni: (side: SideName) => number) =>
    parted((side) => {
      const { 'm2m:cnt': shown } = container(side, { mni: mni(side), ct: `2026112${side === 'A' ? 8 : 9}T120000` });
      const body = { 'm2m:cnt': { rn: '~', mni: 5 } };
      const shows = { 'm2m:rce': { [`${prefix}cnt`]: shown, uri: 'cse-in/~' } };
      return [step({ side, method: 'POST', path: '/cse-in?rcn=3', body, status: 201, rsc: 2001, shows })];
    }).found.length;
  for (const prefix of ['m2m:', '']) {
    assert.equal(
      found(prefix, () => 5),
      0,
    );
    assert.equal(
      found(prefix, (side) => (side === 'A' ? 5 : 6)),
      1,
    );
  }
});

test('what a run is called by, identifiers and times make no difference', () => {
  const { found, compared } = parted((side) => {
    const et = side === 'A' ? '20261129T130000' : '20261129T130007';
    return [
      step({ side, method: 'POST', path: '/cse-in', body: { 'm2m:cnt': { rn: '~', et } }, shows: container(side) }),
      step({ side, shows: container(side, { dgt: et, acpi: [`cnt-${side}`], note: `of cnt-${side}` }) }),
    ];
  });
  assert.deepEqual(found, []);
  assert.deepEqual(compared, ['create', 'retrieve']);
});

test('how often an instance is still to be read is a number at both, and not the same one', () => {
  const differing = (ofB: unknown) =>
    parted((side) => [step({ side, shows: container(side, { dcnt: side === 'A' ? 301 : ofB }) })]).found;
  assert.deepEqual(differing(300), []);
  const [told] = differing([301]);
  assert.deepEqual(told?.difference.compared, { A: 'a number', B: '[301]' });
});

test('an attribute that one of them lacks is told, with the steps up to there', () => {
  const { found } = parted((side) => [
    step({ side, shows: container(side) }),
    step({ side, shows: container(side, side === 'A' ? { or: 'x' } : {}) }),
    step({ side, shows: container(side, side === 'A' ? { or: 'x' } : {}) }),
  ]);
  assert.deepEqual(
    found.map(({ difference: { part, right, compared }, steps }) => [part, right, compared, steps.length]),
    [['attribute or', 'gap', { A: '"x"', B: 'absent' }, 2]],
  );
});

test('what fails at one of them only decides, and tells which it is', () => {
  const check = (state: CheckResult['state'], actual: string): CheckResult => ({
    ...{ requirement: 'std.common.ty', state, expected: ['ty is 3'], actual, place: nowhere },
  });
  const { found } = parted((side) => [
    side === 'A'
      ? step({ side, shows: container(side, { ty: 4 }), checks: [check('failed', 'ty is 4')] })
      : step({ side, shows: container(side), checks: [check('passed', '')] }),
  ]);
  const [{ difference: told } = {}] = found;
  assert.deepEqual([told?.requirement, told?.right, told?.part], ['std.common.ty', 'B', 'attribute ty']);
  assert.deepEqual(told?.compared, { A: 'ty is 4', B: 'ty is 3' });
});

test('after one is done and the other is refused, nothing is compared', () => {
  const { found, compared } = parted((side) => [
    side === 'A' ? step({ side }) : step({ side, status: 404, rsc: 4004 }),
    step({ side, shows: container(side, { or: side }) }),
  ]);
  assert.deepEqual(
    found.map(({ difference: { part, compared: values } }) => [part, values]),
    [['status', { A: '2000', B: '4004' }]],
  );
  assert.equal(compared.length, 1);
});

test('where they are not asked the same, or it is of one wire only, nothing is told', () => {
  const other = parted((side) => [
    step({ side, method: 'PUT', body: { 'm2m:cnt': { lbl: [side] } }, shows: container(side, { lbl: [side] }) }),
  ]);
  assert.deepEqual([other.found, other.compared], [[], []]);
  const ofHttp: CheckResult = {
    ...{ requirement: 'std.http.2001', state: 'not applicable', expected: [], actual: '', place: nowhere },
  };
  const { found } = parted((side) => [
    step({ side, shows: container(side, { or: side }), checks: side === 'B' ? [ofHttp] : [] }),
  ]);
  assert.deepEqual(found, []);
});

const cleaning = { phase: 'cleanup' } as const;

test('an address where nobody listens is the same by each wire', () => {
  const poa = (side: SideName) => [`${side === 'A' ? 'http' : 'mqtt'}://127.0.0.1:9/~`];
  const { found, compared } = parted((side) => [
    step({ side, method: 'PUT', body: { 'm2m:cnt': { poa: poa(side) } }, shows: container(side, { poa: poa(side) }) }),
  ]);
  assert.deepEqual([found, compared], [[], ['update']]);
});

test('what B holds by the wire of A is beside what A holds', () => {
  const { found } = parted((side) => [
    step({ ...cleaning, side, shows: container(side, { or: 'x', lbl: ['~-r1'] }) }),
    ...(side === 'B'
      ? [step({ ...cleaning, side, note: byTheOtherWire, shows: container(side, { or: 'y', lbl: ['~-r2'] }) })]
      : []),
    step({ ...cleaning, side, method: 'DELETE' }),
  ]);
  assert.deepEqual(
    found.map(({ difference: { part, compared }, steps }) => [part, compared, steps.at(-1)]),
    [['attribute or', { A: '"x"', B: '"y"' }, 'GET /cse-in/${name} by the other wire']],
  );
});

test('of what is found below what they leave the number is compared', () => {
  const listing = (...names: readonly string[]) => ({ 'm2m:uril': names.map((name) => `cse-in/~/${name}`) });
  const found = (a: readonly string[], b: readonly string[]) =>
    parted((side) => [
      step({ ...cleaning, side, path: '/cse-in/~?fu=1', shows: listing(...(side === 'A' ? a : b)) }),
    ]).found.map(({ difference: { part, compared } }) => [part, compared]);
  assert.deepEqual(found(['one', 'cin-12'], ['cin-34', 'one']), []);
  assert.deepEqual(found(['one'], ['one', 'two']), [['found', { A: '1', B: '2' }]]);
});

test('what a CSE base shows is compared over two wires of one CSE, but for what changes meanwhile', () => {
  const differing = (isOne: boolean) =>
    parted((side) => {
      const meanwhile = { st: side === 'A' ? 1 : 2, ch: [{ nm: side }], 'm2m:ae': [{ rn: side }] };
      const own = side === 'A' ? { cstn: 'x' } : { cst: 2 };
      const base = { ty: 5, ri: 'id-in', rn: 'cse-in', csi: '/id-in', ...own, ...meanwhile };
      return [step({ side, path: '/cse-in', shows: { 'm2m:cb': base } })];
    }, isOne).found.map(({ difference }) => difference.part);
  assert.deepEqual([differing(true), differing(false)], [['attribute cstn', 'attribute cst'], []]);
});
