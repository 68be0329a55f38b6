import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCbor } from './cbor.ts';
import { httpMessenger } from './messenger.ts';
import type { OutgoingRequest } from './outgoing-message.ts';

test('what a CSE sends has its headers spelled as in the standard', async () => {
  const sent: OutgoingRequest[] = [];
  const sender = {
    send: async (_url: string, request: OutgoingRequest) => {
      sent.push(request);
      return { status: 200, headers: {}, body: '' };
    },
  };
  const messenger = httpMessenger(sender, { dialect: 'onem2m', now: () => 0 });
  await messenger.send('http://127.0.0.1:9', {
    operation: 'notify',
    to: '',
    from: '/id-in',
    requestIdentifier: 'r',
    releaseVersionIndicator: '4',
    vendorInformation: 'v',
    content: { 'm2m:sgn': {} },
  });
  const [request] = sent;
  assert.deepEqual(Object.keys(request?.headers ?? {}), [
    ...['Accept', 'X-M2M-OT', 'X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'X-M2M-VSI'],
    'Content-Type',
  ]);
});

test('a receiver of CBOR only gets CBOR', async () => {
  const sent: OutgoingRequest[] = [];
  const sender = {
    send: async (_url: string, request: OutgoingRequest) => {
      sent.push(request);
      return { status: 200, headers: {}, body: '' };
    },
  };
  const content = { 'm2m:sgn': { vrq: true } };
  const request = { operation: 'notify', to: '', serialization: 'cbor', content } as const;
  await httpMessenger(sender, { dialect: 'onem2m', now: () => 0 }).send('http://127.0.0.1:9', request);
  assert.equal(sent[0]?.headers['Content-Type'], 'application/cbor');
  assert.deepEqual(readCbor(sent[0]?.body as Uint8Array), { value: content });
});
