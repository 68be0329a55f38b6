/** What is found, and what is listed below something, in the documented dialect. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf } from '../rules.ts';
import { type AnswerSpec, ae, container, judge, names } from '../testing/judge.ts';

type Step = readonly [request: string, sent: unknown, told: AnswerSpec];
const made = (rn: string, ri: string, lbl?: readonly string[], time = '10:00:00.000001'): Step => {
  const [ct, et] = [`2026-11-22T${time}+00:00`, '2026-11-22T20:00:00.000001+00:00'];
  return [
    'POST /onem2m/app',
    { 'm2m:cnt': { rn, ...(lbl && { lbl }) } },
    { status: 201, body: { 'm2m:cnt': { ...container, rn, ri, lbl, ct, lt: ct, et } } },
  ];
};
const found = (query: string, ...listed: readonly string[]): Step => [
  `GET /~/mn-cse-1/onem2m?${query}`,
  undefined,
  { status: 200, body: { 'm2m:uril': listed.map((name) => `/mn-cse-1/onem2m/app/${name}`) } },
];
const refused = (query: string): Step => [`GET /~/mn-cse-1/onem2m?${query}`, undefined, { status: 400 }];
const removed = (rn: string, told: AnswerSpec = { status: 200 }): Step => [`DELETE /onem2m/app/${rn}`, undefined, told];
const labelled = [
  made('early', 'cnt1', ['red']),
  made('late', 'cnt2', ['red'], '11:00:00.000001'),
  made('other', 'cnt3', ['blue']),
];
const red = 'fu=1&lbl=red';
const after = (time: string) => `cra=2026-11-22T${time}&${red}`;

const discoveries: ReadonlyArray<readonly [broken: readonly string[], step: Step, ...before: readonly Step[]]> = [
  [[], found(red, 'early', 'late')],
  [['discovery.label.finds'], found(red, 'late')],
  [['discovery.label.leaves-out-others'], found(red, 'early', 'late', 'other')],
  [['discovery.label.leaves-out-others'], found(red, 'early', 'late', 'box')],
  [['discovery.by-label.status'], refused(red)],
  [['discovery.empty.status'], refused('fu=1&lbl=green')],
  [[], found('fu=1&lbl=green')],
  [['discovery.created-after.status'], refused(after('10:30:00'))],
  [[], refused(after('11:30:00'))],
  [[], refused('cra=yesterday&fu=1&lbl=red')],
  [[], found(after('10:30:00'), 'late')],
  [['discovery.created-after.leaves-out-earlier'], found(after('10:30:00'), 'early', 'late')],
  // Strictly after (gaps, row 30).
  [['discovery.created-after.leaves-out-earlier'], found(after('11:00:00.000001'), 'late')],
  [[], found(after('11:00:00.000000'), 'late')],
  // Whether its label finds it at all is another matter.
  [[], found(after('10:30:00'))],
  [['discovery.created-after.finds-later'], found(after('10:30:00')), found(red, 'early', 'late')],
  [['discovery.created-after.finds-later'], found(after('11:00:00.000000')), found(red, 'early', 'late')],
  [[], found(after('11:00:00.000001')), found(red, 'early', 'late')],
  [['discovery.label.leaves-out-others'], found(after('10:30:00'), 'late', 'other')],
  [['lifecycle.removed-is-gone'], found(red, 'early', 'late'), removed('early')],
  [[], found(red, 'late'), removed('early')],
  // Nobody knows whether it is there.
  [[], found(red, 'late'), removed('early', {})],
  [[], found(red, 'early', 'late'), removed('early', {})],
  [['discovery.empty.status'], refused('fu=1&lbl=blue'), removed('other', {})],
];

for (const [expected, step, ...before] of discoveries)
  test(`${step[0]} answered ${JSON.stringify(step[2].body ?? step[2].status)}${before.map(([one]) => `, after ${one}`)} breaks ${expected.join() || 'nothing'}`, () => {
    const { broken } = judge();
    for (const one of [...labelled, ...before]) broken(...one);
    assert.deepEqual(broken(...step), expected);
  });

test('after an update whose labels are not returned, discoveries by label are uncertain', () => {
  for (const listed of [['early', 'late'], ['late']]) {
    const { broken } = judge();
    for (const one of labelled) broken(...one);
    broken('PUT /onem2m/app/early', { 'm2m:cnt': { lbl: ['blue'] } }, { status: 200 });
    assert.deepEqual(broken(...found(red, ...listed)), []);
  }
});

test('of many deleted resources the listed ones are reported', () => {
  const all = Array.from({ length: 101 }, (_, at) => `c${at}x`);
  const missed = (...listed: readonly string[]) => {
    const rules = rulesOf('documented').filter(({ requirement }) => requirement === 'lifecycle.removed-is-gone');
    const outcomes: string[] = [];
    const { broken } = judge(names, rules, ({ outcome }) => outcomes.push(outcome));
    for (const [at, rn] of all.entries()) for (const one of [made(rn, `gone${at}`), removed(rn)]) broken(...one);
    const [line, sent] = found(red);
    return [broken(line, sent, { status: 200, body: { 'm2m:uril': listed } }), outcomes.at(-1)];
  };
  assert.deepEqual(missed('/onem2m/app/c70x'), [['lifecycle.removed-is-gone'], 'failed']);
  assert.deepEqual(missed('/onem2m/app/box'), [[], 'passed']);
});

const child = (nm: string, val: string, typ = 3) => ({ nm, val, typ });
const box = child('box', 'cnt0');
const back: Step = ['POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201, body: { 'm2m:cnt': container } }];
const lists: ReadonlyArray<readonly [broken: readonly string[], ch: readonly object[], ...before: readonly Step[]]> = [
  [[], [box]],
  [['ae.ch'], []],
  [['ae.ch.nm'], [child('other', 'cnt0')]],
  [['ae.ch.nm'], [box, child('ghost', 'cnt9')]],
  [['ae.ch.val'], [child('box', 'cnt7')]],
  [['ae.ch.typ'], [child('box', 'cnt0', 4)]],
  // Only its creation has shown the identifier.
  [[], [box, child('bin', 'cnt7')], made('bin', 'cnt1')],
  [['ae.ch.nm'], [box], made('bin', 'cnt1')],
  [['lifecycle.removed-is-gone'], [box], removed('box')],
  [[], [], removed('box')],
  [[], [box], removed('box'), back],
  [[], [box, child('bin', 'cnt1')], made('bin', 'cnt1'), removed('bin', {})],
  [[], [box], made('bin', 'cnt1'), removed('bin', {})],
];
for (const [expected, ch, ...before] of lists)
  test(`children ${JSON.stringify(ch)}${before.map(([one]) => `, after ${one}`)} break ${expected.join() || 'nothing'}`, () => {
    const { broken } = judge();
    for (const one of before) broken(...one);
    assert.deepEqual(
      broken('GET /onem2m/app', undefined, { status: 200, body: { 'm2m:ae': { ...ae, ch } } }),
      expected,
    );
  });
