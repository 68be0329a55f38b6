import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from '../../messages/serialization.ts';
import { type AnyRequest, isExactBytes, type RequestMessage, socketless } from '../../messages/target.ts';
import { cborTarget } from './routed-target.ts';

/** What goes to the target, or the objection. */
async function said(request: AnyRequest): Promise<RequestMessage | string | undefined> {
  let sent: RequestMessage | undefined;
  const description = { kind: 'url', url: 'http://cse', base: 'cse-in', cseId: 'id-in', spId: 'sp' } as const;
  const target = cborTarget(
    socketless({ description, objection: () => undefined }, async (message) => {
      sent = message;
      return { request: { ...message, body: '' }, at: 0, took: 0, curl: '' };
    }),
  );
  const objection = await target.objection(request);
  if (objection !== undefined) await assert.rejects(target.send(request), { message: objection });
  else if (!isExactBytes(request)) await target.send(request);
  return objection ?? sent;
}

const post = (body: string, type = 'application/json;ty=3') => ({
  ...{ method: 'POST', path: '/cse-in', body: Buffer.from(body) },
  headers: [
    ['Content-Type', type],
    ['accept', 'application/vnd.onem2m-res+json, text/plain, application/json;q=0.5'],
    ['X-M2M-Origin', 'application/json'],
  ] as const,
});

test('a request is written, and asks to be answered, in CBOR', async () => {
  assert.deepEqual(await said(post(' { "m2m:cnt" : {"rn": "a\\"  b"} }')), {
    ...{ method: 'POST', path: '/cse-in', body: serialize({ 'm2m:cnt': { rn: 'a"  b' } }, 'cbor') },
    headers: [
      ['Content-Type', 'application/cbor;ty=3'],
      ['accept', 'application/vnd.onem2m-res+cbor, text/plain, application/cbor;q=0.5'],
      ['X-M2M-Origin', 'application/json'],
    ],
  });
});

for (const [what, body] of [
  ['no JSON', '{"m2m:cnt": '],
  ['a name twice', '{"a":1,"a":1}'],
  ['a number as nobody else writes it', '{"a":1.0}'],
  ['a character by its number', '{"a":"\\u0061"}'],
  ['half of a character', '{"a":"\\ud800"}'],
  ['nothing but white space', ' '],
] as const)
  test(`what is about the text of JSON is not sent: ${what}`, async () => {
    assert.equal(await said(post(body)), 'this is about JSON as a text, but requests to the target are in CBOR');
  });

test('what says that it is something else stays as it is', async () => {
  for (const type of ['text/plain;ty=3', 'application/cbor;ty=3', 'application/xml']) {
    const { body, headers } = (await said(post('{"a":', type))) as RequestMessage;
    assert.deepEqual([Buffer.from(body ?? []).toString(), headers[0]], ['{"a":', ['Content-Type', type]]);
  }
  assert.equal(await said({ bytes: Buffer.from('00', 'hex') }), undefined);
});
