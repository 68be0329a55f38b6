import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MqttRoute } from './mqtt-route.ts';
import { routedTarget } from './routed.ts';
import { prepareUrl } from './url-choice.ts';

test('what is documented is no target over MQTT', async () => {
  await assert.rejects(prepareUrl({ url: 'mqtt://127.0.0.1:9' }), { name: 'UsageError', message: /--dialect onem2m/ });
});

test('user and password of a server are in no description of the target', async () => {
  const { description } = await prepareUrl({ url: 'mqtt://gate:secret@127.0.0.1:9', dialect: 'onem2m' });
  assert.equal(description.url, 'mqtt://127.0.0.1:9');
});

for (const [what, request, reason] of [
  ['exact bytes', { bytes: new Uint8Array(1) }, /connections of HTTP/],
  ['a method of HTTP', { method: 'PATCH', path: '/cse-in', headers: [['X-M2M-RI', '1']] }, /only HTTP/],
  [
    'a header of HTTP',
    {
      method: 'GET',
      path: '/cse-in',
      headers: [
        ['X-M2M-RI', '1'],
        ['If-Match', '1'],
      ],
    },
    /only HTTP/,
  ],
  [
    'a header twice',
    {
      method: 'GET',
      path: '/a',
      headers: [
        ['X-M2M-RI', '1'],
        ['x-m2m-ri', '2'],
      ],
    },
    /only HTTP/,
  ],
  ['no identifier', { method: 'GET', path: '/cse-in', headers: [] }, /has an identifier/],
  ['broken encoding', { method: 'GET', path: '/%zz', headers: [['X-M2M-RI', '1']] }, /only HTTP/],
  [
    'another answer',
    {
      method: 'GET',
      path: '/a',
      headers: [
        ['X-M2M-RI', '1'],
        ['Accept', 'application/cbor'],
      ],
    },
    /as its request/,
  ],
  [
    'no object',
    { method: 'POST', path: '/a', headers: [['X-M2M-RI', '1']], body: Buffer.from('[1]') },
    /one JSON object/,
  ],
] as const)
  test(`${what} cannot be said over MQTT`, async () => {
    const route = new MqttRoute({ url: 'mqtt://127.0.0.1:9', trust: {} });
    const description = {
      kind: 'url',
      url: 'mqtt://127.0.0.1:9',
      ...{ base: 'cse-in', cseId: 'id-in', spId: 'sp' },
    } as const;
    const target = routedTarget({ description, route, timeout: 300, startedAt: 0 });
    assert.match((await target.objection(request)) ?? '', reason);
  });
