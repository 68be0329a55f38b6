import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../testing/sample-cse.ts';
import type { RequestPrimitive } from './primitive.ts';
import { statuses } from './status.ts';

/** What is sent to an AE with these serialisations. */
async function sentTo(csz: readonly string[] | undefined): Promise<RequestPrimitive | undefined> {
  const sent: RequestPrimitive[] = [];
  const { core } = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c' },
    messenger: {
      async send(_url, request) {
        sent.push(request);
        return { status: statuses.OK };
      },
    },
  });
  const ae = { api: 'N', rr: true, srv: ['3', '4'], poa: ['http://me'], ...(csz !== undefined && { csz }) };
  await core.request({ operation: 'create', to: 'b', from: 'Cme', content: { 'm2m:ae': ae } });
  await core.services.outgoing.send('Cme', { operation: 'notify', content: { 'm2m:sgn': {} } });
  return sent[0];
}

for (const [csz, serialization] of [
  [undefined, undefined],
  [['application/json'], undefined],
  [['application/xml'], undefined],
  [['application/cbor', 'application/json'], undefined],
  [['application/json', 'application/cbor'], undefined],
  [['application/cbor'], 'cbor'],
  [['application/xml', 'application/cbor'], 'cbor'],
] as const) {
  test(`an AE ${csz === undefined ? 'without csz' : `that takes ${csz.join(' and ')}`} is sent ${serialization ?? 'JSON'}`, async () => {
    assert.equal((await sentTo(csz))?.serialization, serialization);
  });
}

test('an AE is spoken to in the latest release that it supports', async () => {
  assert.equal((await sentTo(undefined))?.releaseVersionIndicator, '4');
});
