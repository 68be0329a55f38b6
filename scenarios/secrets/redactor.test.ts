import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { shellWord } from '../engine/messages/display.ts';
import { Redactor } from './redactor.ts';
import { secretsInHeaders } from './secrets-of.ts';

const secret = `open "sesame" & 'x' 100%`;

test('a secret is masked in every way in which it is written', () => {
  const redactor = new Redactor([secret]);
  const ways = {
    plain: secret,
    'in a URL': encodeURIComponent(secret),
    'in the query of a URL': new URL(`http://cse.test/?a=${encodeURIComponent(secret)}`).search.slice(3),
    'in a form': encodeURIComponent(secret).replaceAll('%20', '+'),
    'in JSON': JSON.stringify(secret).slice(1, -1),
    'in JSON in JSON': JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    'for the shell': shellWord(secret).slice(1, -1),
    'in Base64': Buffer.from(secret).toString('base64'),
  };
  for (const [way, text] of Object.entries(ways)) assert.equal(redactor.text(`a ${text} b`), 'a *** b', way);
});

test('what stands beside a secret in Base64 does not hide it', () => {
  const redactor = new Redactor([secret]);
  for (const name of ['', 'a', 'ab', 'abc', 'abcd']) {
    const pair = Buffer.from(`${name}:${secret}`).toString('base64');
    const shown = redactor.text(`Basic ${pair}`);
    assert(shown.includes('***') && shown.length < 30, shown);
  }
});

test('no text that holds a secret keeps it', () => {
  const word = fc.string({ minLength: 4, maxLength: 20, unit: 'grapheme-ascii' }).filter((one) => !'***'.includes(one));
  fc.assert(
    fc.property(word, fc.string(), fc.string(), (hidden, before, after) => {
      fc.pre(!hidden.includes('*'));
      const shown = new Redactor([hidden]).text(before + hidden + after);
      return !shown.includes(hidden);
    }),
  );
});

test('the longer of two secrets is masked as a whole', () => {
  assert.equal(new Redactor(['abcd', 'abcdefgh']).text('abcdefgh abcd'), '*** ***');
});

test('what is left of a secret where a text was cut is masked', () => {
  assert.equal(new Redactor(['abcdefgh']).text('value "xabcdef… (90 characters)'), 'value "x***… (90 characters)');
});

test('values are masked at any depth, and the words of the format stay', () => {
  const redactor = new Redactor(['passed']);
  const value = { state: 'passed', steps: [{ actual: 'it passed', took: 1, checks: [null, true] }] };
  assert.deepEqual(redactor.value(value), {
    state: 'passed',
    steps: [{ actual: 'it ***', took: 1, checks: [null, true] }],
  });
});

test('nothing is copied where there is nothing to mask', () => {
  const value = { a: [{ b: 'c' }] };
  assert.equal(new Redactor().value(value), value);
  assert.equal(new Redactor(['abcd']).value(value), value);
});

test('errors are masked, with their causes', () => {
  const error = new Redactor(['abcd']).error(new Error('no abcd', { cause: new Error('abcd') }));
  assert(error instanceof Error && error.cause instanceof Error);
  assert.deepEqual([error.message, error.cause.message], ['no ***', '***']);
  assert.doesNotMatch(error.stack ?? '', /abcd/);
});

test('a secret of fewer than 4 characters is refused', () => {
  assert.throws(() => new Redactor(['abc']), UsageError);
});

test('headers tell credentials and cookies', () => {
  const basic = Buffer.from('me:sesame').toString('base64');
  const headers = [
    ['Authorization', `Basic ${basic}`],
    ['Cookie', 'a=one; b=two'],
    ['Content-Type', 'application/json'],
  ] as const;
  assert.deepEqual(secretsInHeaders(headers), [
    `Basic ${basic}`,
    basic,
    'me:sesame',
    'sesame',
    'a=one; b=two',
    'one',
    'two',
  ]);
});
