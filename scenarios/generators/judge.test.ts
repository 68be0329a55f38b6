import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from '../engine/grammar/grammar-check.ts';
import { type AnswerView, nothingSeen } from '../engine/judging/answer.ts';
import { judgeCheck } from '../engine/judging/check.ts';
import { judge } from './judge.ts';

const shown: AnswerView = {
  ...nothingSeen,
  status: 200,
  body: { 'm2m:cnt': { cni: 2 } },
  root: 'm2m:cnt',
  attributes: { cni: 2 },
};
const refused: AnswerView = { ...nothingSeen, status: 404, body: 'no', root: undefined };
const place = { file: '', line: 1, column: 1 };

const cases: ReadonlyArray<readonly [Check, AnswerView]> = [
  [{ status: 200 }, shown],
  [{ status: 201 }, shown],
  [{ status: 200 }, refused],
  [{ root: 'm2m:cnt' }, shown],
  [{ root: 'm2m:ae' }, shown],
  [{ attributes: { cni: 2 } }, shown],
  [{ attributes: { cni: 3 } }, shown],
  [{ attributes: { st: { 'when present': '0' } } }, shown],
  [{ attributes: { st: { is: 'present' } } }, shown],
  [{ attributes: { cni: 2 } }, refused],
  [{ status: 200, attributes: { cni: 3 } }, shown],
  [
    {
      'one of': [
        { root: 'm2m:ae', source: '' },
        { body: { is: 'object' }, source: '' },
      ],
    },
    shown,
  ],
  [
    {
      'one of': [
        { root: 'm2m:ae', source: '' },
        { status: 404, source: '' },
      ],
    },
    shown,
  ],
  [{ found: { 'when present': { contains: 'a' } } }, shown],
];

test('an answer is judged as the engine judges it in a scenario', () => {
  for (const [check, view] of cases) {
    const success = view.status === 200;
    const seen = { view, summary: '', success };
    const loaded = { requirement: 'a.b', check, place };
    const { state } = judgeCheck(loaded, { seen, names: new Map(), expect: 'success', level: 'documented' });
    const expected = { passed: 'passed', failed: 'failed' }[state as string] ?? 'unobserved';
    assert.equal(judge({ requirement: 'a.b', check }, view, success), expected, JSON.stringify(check));
  }
});
