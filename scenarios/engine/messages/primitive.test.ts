import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, notificationOf, primitiveOf } from './primitive.ts';

test('the example of TS-0010, 6.5.1, is what a POST of a schedule says', () => {
  const content = { 'm2m:sch': { rn: 'schedule1', se: { sce: ['* 0-5 2,6,10 * * * *'] } } };
  const headers = [
    ['X-M2M-Origin', '//xxxxx/99'],
    ['X-M2M-RI', 'A1234'],
    ['X-M2M-OT', '20150910T062032'],
    ['Content-Type', 'application/json;ty=18'],
  ] as const;
  const request = { method: 'POST', path: '/_/xxxxx/2345', headers, body: Buffer.from(JSON.stringify(content)) };
  const common = { op: 1, to: '//xxxxx/2345', fr: '//xxxxx/99', rqi: 'A1234', ty: 18, ot: '20150910T062032' };
  assert.deepEqual(primitiveOf(request), { ...common, pc: content });
});

test('a method of no operation is the number of none', () => {
  assert.equal(primitiveOf({ method: 'PATCH', path: '/a', headers: [] }).op, 99);
});

for (const [query, expected] of [
  ['rcn=6&fu=1&ty=3&lbl=a&lbl=b%26c', { rcn: 6, fc: { fu: 1, ty: [3], lbl: ['a', 'b&c'] } }],
  [
    'cnf=text&c.st=1&p.lbl=x',
    { fc: { atr: [{ nm: 'cnf', val: 'text' }], catr: [{ nm: 'st', val: '1' }], patr: [{ nm: 'lbl', val: 'x' }] } },
  ],
  ['atrl=lbl+et', { pc: { 'm2m:atrl': ['lbl', 'et'] } }],
  ['rt=2', { rt: { rtv: 2 } }],
  ['lim=many', { fc: { lim: 'many' } }],
  ['constructor=1', { fc: { atr: [{ nm: 'constructor', val: '1' }] } }],
  ['', {}],
] as const)
  test(`the query ${query} as parameters`, () => {
    const { op, to, ...given } = primitiveOf({
      method: 'GET',
      path: `/~/cse/a%20b${query && `?${query}`}`,
      headers: [],
    });
    assert.deepEqual([op, to, given], [2, '/cse/a b', expected]);
  });

test('a post without a type is a notification, and targets of a result stand in rt', () => {
  const headers = [['X-M2M-RTU', 'x&y']] as const;
  const { op, rt } = primitiveOf({ method: 'POST', path: '/a', headers, body: Buffer.from('{"m2m:sgn":{}}') });
  assert.deepEqual([op, rt], [5, { nu: ['x', 'y'] }]);
});

test('a response primitive as an answer', () => {
  const answer = answerOf({ rsc: 2000, rqi: '1', rvi: '3', cts: 1, cto: 5, pc: { 'm2m:uril': [] } });
  assert.deepEqual(answer, {
    status: 200,
    headers: [
      ['x-m2m-ri', '1'],
      ['x-m2m-rvi', '3'],
      ['x-m2m-rsc', '2000'],
      ['x-m2m-cts', '1'],
      ['x-m2m-cto', '5'],
      ['content-type', 'application/json'],
    ],
    body: '{"m2m:uril":[]}',
  });
  assert.deepEqual(
    [2001, 4004, 4103, 4105, 4000, 5000].map((rsc) => answerOf({ rsc })?.status),
    [201, 404, 403, 409, 400, 500],
  );
});

test('what is no primitive is neither answer nor notification', () => {
  for (const value of [undefined, 'text', [], {}, { rsc: '2000' }, { op: 1 }, { op: '5' }]) {
    assert.equal(answerOf(value), undefined);
    assert.equal(notificationOf(value), undefined);
  }
  assert.equal(notificationOf({ op: 5, pc: { 'm2m:sgn': {} } })?.body, '{"m2m:sgn":{}}');
});
