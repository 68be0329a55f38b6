import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryOf } from '../judging/answer.ts';
import { AnswerReader } from '../targets/exchanging/answer-reader.ts';
import { escaped, show } from './display.ts';

const hidden = '\u001b[31m\u009b2J\u202e';
const exchange = { request: { method: 'GET', path: '/', headers: [] }, at: 0, took: 0, curl: '' };

test('what a terminal would act on is written out', () => {
  assert.equal(escaped(hidden), '\\u001b[31m\\u009b2J\\u202e');
  assert.equal(JSON.parse(show(hidden)), hidden);
});

test('no sentence on an answer holds what a terminal would act on', () => {
  const answer = { status: 200, headers: [['X-M2M-RSC', hidden]] as const, body: '' };
  const failure = { kind: 'malformed', message: hidden } as const;
  const reader = new AnswerReader('GET');
  reader.push(Buffer.from('\u009b2J', 'utf8'));
  const sentences = [
    summaryOf({ ...exchange, answer }),
    summaryOf({ ...exchange, failure }),
    JSON.stringify(reader.state),
  ];
  for (const sentence of sentences) assert.doesNotMatch(sentence, /\p{Cc}|\p{Bidi_Control}/u);
});
