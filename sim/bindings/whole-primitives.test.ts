import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from 'cborg';
import { type HttpResponse, WrittenAnswer } from '../dialects/http-message.ts';
import { asAnswer } from '../dialects/serialized-primitive.ts';
import { type AnsweredPrimitive, responseTo } from './whole-primitives.ts';

const headers = {
  'X-M2M-RSC': '2000',
  'X-M2M-RI': 'A1',
  'X-M2M-RVI': '3',
  'x-m2m-cts': '1',
  'X-M2M-CTO': '7',
  Allow: 'GET',
};
const body = '{"m2m:uril":["a\\n\u00e4"]}';
const expected = {
  ...{ rqi: 'A1', rvi: '3', rsc: 2000, cts: 1, cto: 7, to: 'CA', fr: '/id-in' },
  pc: { 'm2m:uril': ['a\n\u00e4'] },
};
const request = { op: 2, to: 'a', fr: 'CA', rqi: 'A1' };

function responseOf(answer: HttpResponse, wrapped = false): AnsweredPrimitive | undefined {
  const service = { handle: () => answer, refuse: () => answer };
  const message = { method: 'GET', target: '/a', headers: {}, body: new Uint8Array(0) };
  const response = responseTo({ wrapped, request, response: undefined }, { service, identifier: '/id-in', message });
  return response instanceof Promise ? assert.fail('it is answered in the same turn') : response;
}

for (const [who, answer] of [
  ['the CSE', new WrittenAnswer(200, headers, body)],
  ['somebody else', { status: 200, headers, body: ` ${body} ` }],
] as const) {
  test(`an answer of ${who} has its code, its request and its content, and comes back as the answer that it was`, () => {
    const response = responseOf(answer);
    assert.deepEqual(response?.primitive, expected);
    const text = String(response?.serialized('json'));
    assert.deepEqual(JSON.parse(text), expected);
    assert.deepEqual(decode(response?.serialized('cbor') as Uint8Array), expected);
    const back = asAnswer(JSON.parse(text));
    assert.equal(back?.status, 200);
    assert.equal(back?.headers['x-m2m-cto'], '7');
    assert.equal(back?.body, body);
  });
  test(`an answer of ${who} to a request below its root is below one`, () =>
    assert.deepEqual(JSON.parse(String(responseOf(answer, true)?.serialized('json'))), { 'm2m:rsp': expected }));
}

for (const changed of ['{"m2m:uril":', '{"m2m:uril":[],"m2m:uril":["b"]}'])
  test(`what somebody has made of an answer of the CSE is read again: ${changed}`, () => {
    const answer = { ...new WrittenAnswer(200, headers, body), body: changed };
    const { pc } = JSON.parse(String(responseOf(answer)?.serialized('json')));
    assert.deepEqual(pc, changed.endsWith('}') ? { 'm2m:uril': ['b'] } : undefined);
  });

test('an answer without content has none', () => {
  const { pc: _pc, ...rest } = expected;
  assert.deepEqual(JSON.parse(String(responseOf(new WrittenAnswer(200, headers, ''))?.serialized('json'))), rest);
});

test('a request that wants no answer gets none', () => {
  assert.equal(responseOf({ status: 204, headers: {}, body: '' }), undefined);
});
