import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceivedAnswer } from '../engine/results/exchange.ts';
import type { RobustnessCase } from '../generators/wire/listed/robustness-case.ts';
import { caseOf } from '../generators/wire/listed/robustness-cases.ts';
import { judgeCase, observe } from './run-case.ts';

const one = (expected: string, more: Partial<RobustnessCase> = {}): RobustnessCase => ({
  ...caseOf('0.1', { case: 'x', text: 'x', clause: 'RFC 9112, 2', expect: expected }),
  ...more,
});
const answer = (status: number, rn?: string): ReceivedAnswer => ({
  ...{ status, headers: [] },
  body: rn === undefined ? '' : JSON.stringify({ 'm2m:cnt': { rn } }),
});
const sentinel = answer(200, 'sentinel');
const refused = one('400 | 4xx closed');
const verdictOf = (about: RobustnessCase, answers: readonly ReceivedAnswer[], end: 'open' | 'closed' = 'open') =>
  judgeCase(about, [observe(about, { answers, end }, true)]);

test('what is right, tolerable or wrong follows from the outcome', () => {
  assert.equal(verdictOf(refused, [answer(400), sentinel]).verdict, 'as it should');
  assert.equal(verdictOf(refused, [answer(400)], 'closed').verdict, 'as it should');
  assert.equal(verdictOf(refused, [answer(404), sentinel]).verdict, 'tolerable');
  assert.equal(verdictOf(refused, [], 'closed').verdict, 'tolerable');
  assert.deepEqual(verdictOf(refused, [answer(500), sentinel]), {
    verdict: 'wrong',
    says: 'It is answered by 500; right: 400.',
  });
  assert.equal(verdictOf(refused, [], 'open').verdict, 'wrong');
});

test('the worse of two times counts', () => {
  const verdict = (...outcomes: readonly (number | 'closed')[]) =>
    judgeCase(
      refused,
      outcomes.map((outcome) => ({ outcome })),
    ).verdict;
  assert.deepEqual(
    [verdict(400, 400), verdict(400, 'closed'), verdict('closed', 200)],
    ['as it should', 'tolerable', 'wrong'],
  );
});

test('an answer to the wrong request is wrong whatever its status', () => {
  const says = (answers: readonly ReceivedAnswer[], end: 'open' | 'closed' = 'open') => {
    const judged = verdictOf(one('2xx 400'), answers, end);
    return judged.verdict === 'wrong' ? judged.says : judged.verdict;
  };
  assert.match(says([answer(200, 'c')]), /^The next request on the same connection is not answered/);
  assert.match(says([sentinel]), /came in its place/);
  assert.match(says([answer(400), answer(200, 'trap'), sentinel]), /carried out as a request/);
  assert.match(says([answer(200), answer(200, 'c'), sentinel]), /belongs to no request/);
  assert.match(says([answer(200), sentinel, sentinel]), /More answers came/);
  assert.equal(says([answer(200), answer(400)]), 'as it should');
});

test('a connection that has to end after the answer serves nothing more', () => {
  const closing = one('400', { closes: true });
  assert.equal(verdictOf(closing, [answer(400)], 'closed').verdict, 'as it should');
  assert.equal(verdictOf(closing, [answer(400), sentinel]).verdict, 'wrong');
});

test('sound requests before the last one are served', () => {
  const two = one('405', { methods: ['GET', 'BREW'] });
  assert.equal(verdictOf(two, [answer(200), answer(405), sentinel]).verdict, 'as it should');
  assert.equal(verdictOf(two, [answer(400), answer(405), sentinel]).verdict, 'wrong');
});

test('what is no HTTP is wrong but where the case permits it', () => {
  const conversation = { answers: [], end: 'open', failure: { kind: 'malformed', message: 'x' } } as const;
  assert.equal(judgeCase(refused, [observe(refused, conversation, true)]).verdict, 'wrong');
  const old = one('400 | no HTTP');
  assert.equal(judgeCase(old, [observe(old, conversation, true)]).verdict, 'tolerable');
});
