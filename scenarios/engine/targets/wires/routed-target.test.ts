import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareUrl } from '../url-choice.ts';
import { MqttRoute } from './mqtt-route.ts';
import { routedTarget } from './routed-target.ts';

test('what is documented is no target over MQTT', async () => {
  await assert.rejects(prepareUrl({ url: 'mqtt://127.0.0.1:9' }), { name: 'UsageError', message: /--dialect onem2m/ });
});

test('user and password of a server are in no description of the target', async () => {
  const { description } = await prepareUrl({ url: 'mqtt://gate:secret@127.0.0.1:9', dialect: 'onem2m' });
  assert.equal(description.url, 'mqtt://127.0.0.1:9');
});

for (const [what, request, reason] of [
  ['exact bytes', { bytes: new Uint8Array(1) }, /connections of HTTP/],
  ['a method of HTTP', { method: 'HEAD', path: '/cse-in', headers: [['X-M2M-RI', '1']] }, /only HTTP/],
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
  ['no identifier', { method: 'GET', path: '/cse-in', headers: [] }, /needs an identifier/],
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
    /serialization of its request/,
  ],
  ...['C#a', 'C+/a', 'C\0a', `C${'a'.repeat(65_536)}`].map(
    (originator) =>
      [
        `an originator such as ${JSON.stringify(originator.slice(0, 4))}`,
        { method: 'GET', path: '/a', headers: [['X-M2M-RI', '1'] as const, ['X-M2M-Origin', originator] as const] },
        /topic/,
      ] as const,
  ),
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

for (const [method, kind] of [
  ['GET', 'timeout'],
  ['PATCH', 'interrupted'],
] as const)
  test(`what is not answered to ${method} over MQTT ends as ${kind}: no clause has what is no operation answered`, async () => {
    const description = { kind: 'url', url: 'mqtt://h', base: 'cse-in', cseId: 'id-in', spId: 'sp' } as const;
    const route = {
      wire: 'MQTT' as const,
      onNotification: () => undefined,
      ask: () => new Promise<never>(() => {}),
      origin: async () => undefined,
      ...{ listen: async () => {}, line: () => '', close: async () => {} },
    };
    const target = routedTarget({ description, route, timeout: 1, startedAt: 0 });
    const request = { method, path: '/cse-in', headers: [['X-M2M-RI', '1'] as const] };
    assert.equal(await target.objection(request), undefined);
    assert.equal((await target.send(request)).failure?.kind, kind);
  });
