/** In which ways a value may come back, and in which it is another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../engine/judging/matchers.ts';
import { asRequested, countedDown, unchanged } from './as-requested.ts';

const nu = ['Capp', 'http://n/x'];
const enc = { net: [1], crb: '20990101T000000' };

const values: ReadonlyArray<
  readonly [name: string, given: unknown, right: readonly unknown[], wrong: readonly unknown[]]
> = [
  ['exc', 5, [1, 5], [0, 6]],
  ['dcnt', 5, [0, 5], [-1, 6]],
  ['mnm', 5, [5], [4, 1, 0, '5']],
  ['rr', true, [true], [false, 'true']],
  ['nu', nu, [nu, ['http://n/x', '/id-in/Capp']], [['Capp'], ['Capp', 'http://n/y'], [...nu, 'Cb'], 'Capp']],
  ['nu', ['http://n/x'], [['http://n/x']], [['/id-in/http://n/x']]],
  ['mid', ['cnt0'], [['cnt0'], ['/id-in/cnt0']], [['cnt1'], ['cnt0', 'cnt0'], ['xcnt0']]],
  ['mid', [{ a: 1 }], [[{ a: 1 }]], [[{ a: 2 }], ['a']]],
  ['nl', 'nod0', ['nod0', '/id-in/nod0', '//sp/id-in/nod0'], ['nod1', 'xnod0', 7]],
  ['nl', 'cse-in/dev', ['nod0', '/id-in/nod0'], [7]],
  ['hcl', '/other', ['/other', '//sp/other'], ['other', '/another']],
  ['spi', '//sp', ['//sp'], ['sp', '//other', '/sp']],
  ['lbl', ['a'], [['a']], [['b'], ['a', 'a'], 'a']],
  ['con', 'nod0', ['nod0'], ['/id-in/nod0']],
  ['dgt', '20260101T000000', ['20260101T000000', '20260101T000000,123456'], ['20260101T000001', '20260101']],
  ['dgt', '20260101T000000,123456', ['20260101T000000'], ['20260101T000001,123456']],
  ['con', 'at 20260101T000000', ['at 20260101T000000'], ['at 20260101T0']],
  ['enc', enc, [enc, { ...enc, chty: [4] }, { ...enc, crb: '20990101T000000,0' }], [{ ...enc, net: [2] }, 'net']],
];

for (const [name, given, right, wrong] of values)
  test(`${name} ${JSON.stringify(given)} is returned as requested, or in another permitted notation`, () => {
    for (const one of right) assert.equal(match(asRequested(name, given), one), 'passed', JSON.stringify(one));
    for (const one of wrong) assert.equal(match(asRequested(name, given), one), 'failed', JSON.stringify(one));
  });

test('a few notifications may be counted down between request and response, but not to zero', () => {
  const counted = (given: number, ...shown: readonly number[]) => shown.map((one) => match(countedDown(given), one));
  assert.deepEqual(counted(100, 83, 84, 100, 101), ['failed', 'passed', 'passed', 'failed']);
  assert.deepEqual(counted(5, 0, 1, 5, 6), ['failed', 'passed', 'passed', 'failed']);
});

const steady: typeof values = [
  ['nl', 'nod0', ['nod0', '/id-in/nod0'], ['nod1']],
  ['nl', null, [null], ['nod0']],
  ['mid', [], [[]], [['cnt0']]],
  ['lbl', ['a'], [['a']], [['b']]],
  ['lbl', ['${x}'], [['${x}'], ['b']], [undefined]],
];
for (const [name, before, right, wrong] of steady)
  test(`${name} stays ${JSON.stringify(before)}`, () => {
    for (const one of right) assert.equal(match(unchanged(name, before), one), 'passed', JSON.stringify(one));
    for (const one of wrong) assert.equal(match(unchanged(name, before), one), 'failed', JSON.stringify(one));
  });
