import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check } from '../grammar/grammar-check.ts';
import type { Expect } from '../grammar/grammar-step.ts';
import type { Exchange, TlsFacts } from '../results/exchange.ts';
import type { CheckLevel, CheckResult } from '../results/result.ts';
import { observationOf } from './answer.ts';
import { judgeCheck, unsentCheck } from './check.ts';

const place = { file: 'f', line: 1, column: 1 };
const request = { method: 'GET', path: '/', headers: [] };

interface Given {
  readonly status?: number;
  readonly headers?: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  readonly connection?: 'open' | 'closed';
  readonly expect?: Expect;
  readonly level?: CheckLevel;
  readonly tls?: TlsFacts;
}

function judge(check: Check, given: Given = {}): CheckResult {
  const { status = 200, headers = [], body = '', connection, expect = 'either', level = 'documented', tls } = given;
  const exchange: Exchange = {
    request,
    ...(status === 0
      ? { failure: { kind: 'reset', message: 'the target reset the connection' } }
      : { answer: { status, headers, body } }),
    ...(connection === undefined ? {} : { connection }),
    ...(tls && { tls }),
    at: 0,
    took: 0,
    curl: '',
  };
  return judgeCheck(
    { requirement: 'r', check, place },
    { observation: observationOf(exchange), names: new Map(), expect, level },
  );
}

const ae = '{"m2m:ae":{"aei":5,"rr":"TRUE","lbl":["a"]}}';
const sentences: ReadonlyArray<
  readonly [name: string, check: Check, given: Given, state: string, expected: string, actual: string]
> = [
  ['a status', { status: 201 }, {}, 'failed', 'status 201', 'status 200'],
  ['several statuses', { status: { 'one of': [200, 201] } }, {}, 'passed', 'status 200 or 201', 'status 200'],
  [
    'a range of statuses',
    { status: { between: [400, 499] } },
    {},
    'failed',
    'status is between 400 and 499',
    'status 200',
  ],
  ['a status that must not be', { status: { not: 200 } }, {}, 'failed', 'status is not 200', 'status 200'],
  [
    'an absent attribute',
    { attributes: { ri: { is: 'text' } } },
    { body: ae },
    'failed',
    'attribute ri is a string',
    'attribute ri is absent',
  ],
  [
    'a wrong attribute',
    { attributes: { aei: { is: 'text' } } },
    { body: ae },
    'failed',
    'attribute aei is a string',
    'attribute aei is 5',
  ],
  [
    'an attribute where there is no object',
    { attributes: { rr: true } },
    { body: 'oops' },
    'not testable',
    'attribute rr is true',
    'attribute rr is absent (the body is not an object below one key)',
  ],
  ['a root key', { root: 'm2m:cnt' }, { body: ae }, 'failed', 'root is "m2m:cnt"', 'root is "m2m:ae"'],
  [
    'a header given as a number',
    { header: { 'X-M2M-RSC': 2000 } },
    { headers: [['x-m2m-rsc', '2000']] },
    'passed',
    'header X-M2M-RSC is 2000',
    'header X-M2M-RSC is "2000"',
  ],
  ['an empty body', { body: { is: 'absent' } }, {}, 'passed', 'body is absent', 'body is absent'],
  [
    'a discovery result',
    { found: { contains: '/x' } },
    { body: '{"m2m:uril":[]}' },
    'failed',
    'discovery result contains "/x"',
    'discovery result is []',
  ],
  ['a connection', { connection: 'closed' }, { connection: 'open' }, 'failed', 'connection closed', 'connection open'],
  [
    'only what failed',
    { status: 200, attributes: { rr: true, lbl: { is: 'list' } } },
    { body: ae },
    'failed',
    'status 200; attribute rr is true; attribute lbl is an array',
    'attribute rr is "TRUE"',
  ],
  [
    'the status code of oneM2M beside that of HTTP',
    { status: 200 },
    { status: 404, headers: [['X-M2M-RSC', '4004']] },
    'failed',
    'status 200',
    'status 404, RSC 4004',
  ],
  [
    'everything of a gap',
    { status: 404, root: 'm2m:dbg' },
    { status: 404, body: '{"m2m:ae":{}}', level: 'gap' },
    'failed',
    'status 404; root is "m2m:dbg"',
    'status 404; root is "m2m:ae"',
  ],
];

for (const [name, check, given, state, expected, actual] of sentences) {
  test(`the sentences tell ${name}`, () => {
    const result = judge(check, given);
    assert.deepEqual([result.state, result.expected, result.actual], [state, [expected], actual]);
  });
}

test('attributes are not checked where the body is no representation', () => {
  const result = judge({ attributes: { rr: true } }, { body: '[]' });
  assert.deepEqual([result.state, result.reason], ['not testable', 'the body is not an object below one key']);
  assert.equal(result.excused, undefined, 'so a run in which nothing else is wrong is inconclusive, never green');
});

test('the first matching outcome of several permitted ones counts', () => {
  const outcomes = [
    { status: 200, attributes: { aei: 6 }, source: 'row 1' },
    { status: 200, variant: 'number', source: 'row 2' },
    { root: 'm2m:ae', variant: 'too late', source: 'row 3' },
  ];
  const result = judge({ 'one of': outcomes }, { body: ae });
  assert.deepEqual([result.state, result.variant, result.actual], ['passed', 'number', 'status 200']);
  const failed = judge({ 'one of': outcomes }, { status: 500 });
  assert.equal(failed.state, 'failed');
  assert.deepEqual(failed.expected, [
    'status 200; attribute aei is 6 (row 1)',
    'status 200 (row 2)',
    'root is "m2m:ae" (row 3)',
  ]);
});

test('an outcome that does not look at the status says nothing about a refusal', () => {
  const check: Check = {
    'one of': [
      { attributes: { x: { is: 'absent' } }, source: 'a' },
      { status: 200, source: 'b' },
    ],
  };
  assert.equal(judge(check, { status: 404, expect: 'success' }).state, 'failed');
  const silent: Check = { 'one of': [{ attributes: { x: { is: 'absent' } }, source: 'a' }] };
  assert.equal(judge(silent, { status: 404, expect: 'success' }).state, 'not testable');
});

test('an outcome that could not be observed keeps a check from failing', () => {
  const optional: Check = {
    'one of': [
      { attributes: { x: { 'when present': 1 } }, source: 'a' },
      { status: 404, source: 'b' },
    ],
  };
  const result = judge(optional, { body: ae });
  assert.deepEqual([result.state, result.reason, result.excused], ['not testable', 'attribute x was absent', true]);
});

test('without an answer only status and connection are checked', () => {
  assert.equal(judge({ status: { is: 'absent' } }, { status: 0 }).state, 'passed');
  assert.equal(judge({ status: { not: 200 } }, { status: 0 }).state, 'not testable');
  assert.equal(judge({ connection: 'closed' }, { status: 0, connection: 'closed' }).state, 'passed');
  const body = judge({ body: { is: 'absent' } }, { status: 0 });
  assert.deepEqual(
    [body.state, body.reason, body.excused],
    ['not testable', 'harness sees: the target reset the connection', undefined],
  );
});

test('TLS expectations are excused without TLS', () => {
  const result = judge({ handshake: 'completed', alert: { is: 'absent' } });
  assert.deepEqual(
    [result.state, result.reason, result.excused],
    ['not testable', 'the request went without TLS', true],
  );
});

test('a handshake without an end is no outcome of it', () => {
  const result = judge({ handshake: { 'one of': ['refused', 'dropped'] } }, { status: 0, tls: {} });
  assert.deepEqual([result.state, result.excused], ['not testable', undefined]);
});

test('the handshake is checked even where the request should succeed', () => {
  const check: Check = {
    'one of': [
      { handshake: 'refused', source: 'a' },
      { status: 403, source: 'b' },
      { attributes: { x: 1 }, source: 'c' },
    ],
  };
  const given = { status: 0, expect: 'success', tls: { handshake: 'refused' } } as const;
  assert.equal(judge(check, given).state, 'passed');
  assert.equal(
    judge(check, { ...given, tls: { handshake: 'dropped' } }).actual,
    'handshake dropped; harness sees: the target reset the connection',
  );
});

test('a check of a request that was not sent still says what it expected', () => {
  const loaded = { requirement: 'r', check: { status: 200, attributes: { pi: { 'same as': '${ri}' } } }, place };
  const result = unsentCheck(loaded, 'documented', { reason: 'blocked: x', kind: 'blocked' });
  assert.deepEqual(result.expected, ['status 200; attribute pi is "${ri}"']);
  assert.deepEqual(
    [result.state, result.actual, result.reason],
    ['not testable', 'the request was not sent', 'blocked: x'],
  );
});
