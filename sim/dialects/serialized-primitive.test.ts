import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asAnswer, asHttpRequest, asRequest } from './serialized-primitive.ts';

const text = (body: Uint8Array) => Buffer.from(body).toString('utf8');

test('the example of TS-0010, 6.5.1, is a POST of a schedule', () => {
  const content = { 'm2m:sch': { rn: 'schedule1', se: { sce: ['* 0-5 2,6,10 * * * *'] } } };
  const primitive = {
    op: 1,
    to: '//xxxxx/2345',
    fr: '//xxxxx/99',
    rqi: 'A1234',
    ty: 18,
    pc: content,
    ot: '20150910T062032',
  };
  const request = asHttpRequest(primitive, 'onem2m');
  assert.equal(request?.method, 'POST');
  assert.equal(request?.target, '/_/xxxxx/2345');
  assert.deepEqual(request?.headers, {
    'x-m2m-ri': 'A1234',
    'x-m2m-ot': '20150910T062032',
    'x-m2m-origin': '//xxxxx/99',
    'content-type': 'application/json;ty=18',
  });
  assert.deepEqual(JSON.parse(text(request?.body ?? new Uint8Array())), content);
});

test('parameters and criteria of a request stand in the query', () => {
  const fc = {
    fu: 1,
    ty: [3, 4],
    lbl: ['a b', 'c&d'],
    atr: [{ nm: 'cnf', val: 'text/plain:0' }],
    catr: [{ nm: 'st', val: 1 }],
  };
  const primitive = { op: 2, to: 'cse-in/ä', fr: 'C', rqi: '1', rcn: 6, rt: { rtv: 2, nu: ['x', 'y'] }, fc };
  const request = asHttpRequest(primitive, 'onem2m');
  const [path, query] = request?.target.split('?') ?? [];
  assert.equal(path, '/cse-in/%C3%A4');
  assert.deepEqual(
    [...new URLSearchParams(query)],
    [
      ['rcn', '6'],
      ['rt', '2'],
      ['fu', '1'],
      ['ty', '3'],
      ['ty', '4'],
      ['lbl', 'a b'],
      ['lbl', 'c&d'],
      ['cnf', 'text/plain:0'],
      ['c.st', '1'],
    ],
  );
  assert.equal(request?.headers['x-m2m-rtu'], 'x&y');
});

test('a partial retrieve names its attributes in the content', () => {
  const request = asHttpRequest({ op: 2, to: 'a', fr: 'C', rqi: '1', pc: { 'm2m:atrl': ['lbl', 'et'] } }, 'onem2m');
  assert.equal(request?.target, '/a?atrl=lbl%20et');
  assert.equal(request?.body.length, 0);
  const back = asRequest({ method: 'GET', target: '/a?atrl=lbl%20et', headers: {} });
  assert.deepEqual(back.pc, { 'm2m:atrl': ['lbl', 'et'] });
});

for (const [what, primitive] of [
  ['a text', 'hello'],
  ['a list', []],
  ['an object without op', { to: 'a', fr: 'C', rqi: '1' }],
  ['an operation that there is not', { op: 6, to: 'a', fr: 'C', rqi: '1' }],
  ['an operation called as in a plain object', { op: 'constructor', to: 'a' }],
  ['no address', { op: 2, fr: 'C', rqi: '1' }],
  ['half a surrogate pair in the address', { op: 2, to: 'a/\ud800', fr: 'C', rqi: '1' }],
  ['half a surrogate pair in a criterion', { op: 2, to: 'a', fr: 'C', rqi: '1', fc: { lbl: ['\ud800'] } }],
] as const)
  test(`${what} is no request primitive`, () => assert.equal(asHttpRequest(primitive, 'onem2m'), undefined));

test('what is written as a primitive is read as the same request', () => {
  const requests = [
    { op: 1, to: 'cse-in', fr: 'CA', rqi: '1', rvi: '3', ty: 2, pc: { 'm2m:ae': { api: 'Na' } } },
    {
      op: 2,
      to: '/id-in/cse-in/a',
      fr: 'CA',
      rqi: '2',
      rvi: '3',
      rcn: 4,
      fc: { fu: 2, lbl: ['x', 'y'], lvl: 2, lim: 5 },
    },
    {
      op: 2,
      to: '//sp/id-in/cse-in/a%b',
      fr: 'CA',
      rqi: '3',
      fc: { atr: [{ nm: 'cnf', val: 'a' }], ty: [4], crb: '20300101T000000' },
    },
    { op: 3, to: 'cse-in/a', fr: 'CA', rqi: '4', rqet: '20300101T000000', pc: { 'm2m:ae': { lbl: null } } },
    { op: 4, to: 'cse-in/a', fr: 'CA', rqi: '5', ec: 4, vsi: 'v', rt: { rtv: 2, nu: ['CA'] } },
    { op: 5, to: 'cse-in/a', fr: 'CA', rqi: '6', pc: { 'm2m:sgn': { vrq: true } } },
  ];
  for (const primitive of requests) {
    const request = asHttpRequest(primitive, 'onem2m');
    assert.ok(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value ?? '']));
    const { body } = request;
    const back = asRequest({
      method: request.method,
      target: request.target,
      headers,
      ...(body.length > 0 && { body }),
    });
    assert.deepEqual(back, primitive);
  }
});

test('what is no response has no code', () => {
  assert.equal(asAnswer({ rqi: '1' }), undefined);
  assert.equal(asAnswer('2000'), undefined);
});

test('codes that HTTP has a status for have it', () => {
  const statuses = [2001, 4004, 4103, 4105, 5001, 4999, 5999].map((rsc) => asAnswer({ rsc, rqi: '1' })?.status);
  assert.deepEqual(statuses, [201, 404, 403, 409, 501, 400, 500]);
});
