import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../results/exchange.ts';
import { summaryOf, viewOf } from './answer.ts';
import { capture } from './expectation.ts';

const request = { method: 'GET', path: '/', headers: [] };

function exchange(body: unknown, headers: ReadonlyArray<readonly [string, string]> = []): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { request, answer: { status: 200, headers, body: text }, at: 0, took: 0, curl: '' };
}

const found: ReadonlyArray<readonly [body: unknown, list: unknown]> = [
  [{ 'm2m:uril': ['/a/b', '/a/c'] }, ['/a/b', '/a/c']],
  [{ 'm2m:uril': '/a/b /a/c' }, ['/a/b', '/a/c']],
  [{ 'm2m:uril': '' }, []],
  [['/a'], ['/a']],
  ['/a/b /a/c\n', ['/a/b', '/a/c']],
  ['', undefined],
  ['not a list', undefined],
  [{ 'm2m:dbg': 'x' }, undefined],
  [{ 'm2m:uril': 5 }, undefined],
];

for (const [body, list] of found) {
  test(`a discovery result is found in ${JSON.stringify(body)}`, () => {
    assert.deepEqual(viewOf(exchange(body)).found, list);
  });
}

test('attributes stand below the only key of an object, whatever it is called', () => {
  for (const root of ['m2m:ae', 'ae']) {
    assert.deepEqual(viewOf(exchange({ [root]: { rn: 'x' } })).attributes, { rn: 'x' });
  }
  for (const body of ['', 'x', [], { 'm2m:ae': {}, more: 1 }, { 'm2m:ae': [] }, null]) {
    assert.equal(viewOf(exchange(body)).attributes, undefined);
  }
});

test('repeated headers are joined, whatever the case of their names', () => {
  const { headers } = viewOf(
    exchange('', [
      ['Allow', 'GET'],
      ['allow', 'PUT'],
    ]),
  );
  assert.equal(headers.get('allow'), 'GET, PUT');
});

test('a summary says what came, or why nothing came', () => {
  assert.equal(summaryOf(exchange('', [['X-M2M-RSC', '4004']])), '200, RSC 4004');
  const failure = { kind: 'timeout', message: 'too late' } as const;
  assert.equal(summaryOf({ request, failure, at: 0, took: 0, curl: '' }), 'harness sees: too late');
});

test('captures take a value or say why there is none', () => {
  const view = viewOf(
    exchange({ 'm2m:cin': { ri: 'cin1', ct: '2017-03-02T16:12:53.350093+00:00', con: 'x' } }, [['Location', '/x']]),
  );
  const list = viewOf(exchange({ 'm2m:uril': ['/a'] }));
  assert.deepEqual(capture('ri', view), { value: 'cin1' });
  assert.deepEqual(capture({ header: 'location' }, view), { value: '/x' });
  assert.deepEqual(capture({ attribute: 'ct', written: 'with Z' }, view), { value: '2017-03-02T16:12:53.350093Z' });
  assert.deepEqual(capture({ found: 0 }, list), { value: '/a' });
  assert.deepEqual(capture('toString', view), { missing: 'attribute toString was not in the answer' });
  assert.deepEqual(capture({ header: 'etag' }, view), { missing: 'header etag was not in the answer' });
  assert.deepEqual(capture({ attribute: 'con', written: 'basic' }, view), {
    missing: 'attribute con was no timestamp',
  });
  assert.deepEqual(capture({ attribute: 'lt', written: 'basic' }, view), {
    missing: 'attribute lt was not in the answer',
  });
  assert.deepEqual(capture({ found: 1 }, list), { missing: 'element 1 of the discovery result was not in the answer' });
  assert.deepEqual(capture({ found: 0 }, view), { missing: 'the answer is no discovery result' });
});
