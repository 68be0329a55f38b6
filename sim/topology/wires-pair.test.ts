/** A pair whose CSEs reach each other by an MQTT server, over WebSocket or over CoAP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wireNames } from '../dialects/outgoing-message.ts';
import { startNode } from './node.ts';
import { type PairMember, type PairOptions, startGateway, startPair } from './pair.ts';

const standard = { dialect: 'onem2m', mqtt: true } as const;
const wires = ['mqtt', 'ws', 'coap'] as const;
const urlOver = { mqtt: 'mqttUrl', ws: 'wsUrl', coap: 'coapUrl' } as const;

/** Asks the gateway, over HTTP, for the CSE base of its backend. */
async function throughGateway(options: PairOptions, { gateway, backend }: Awaited<ReturnType<typeof startPair>>) {
  const originator = options.dialect === 'onem2m' ? `/${gateway.cseId}` : `//${gateway.spId}/${gateway.cseId}`;
  const answer = await fetch(`${gateway.url}/~/${backend.cseId}/${backend.base}`, {
    headers: { 'X-M2M-Origin': originator, 'X-M2M-RI': 'through', 'X-M2M-RVI': '3' },
  });
  return Number(answer.headers.get('x-m2m-rsc'));
}

for (const wire of wires)
  for (const dialect of ['onem2m', 'documented'] as const)
    test(`the ${dialect} dialect: a gateway registers and forwards over ${wireNames[wire]}, and journals say so`, async () => {
      const options = { dialect, [wire]: true };
      await using pair = await startPair(options);
      const { gateway, backend, broker } = pair;
      assert.equal(gateway.mqttUrl, broker?.url);
      assert.match(String(backend[urlOver[wire]]), new RegExp(`^${wire}://127\\.0\\.0\\.1:\\d+$`));
      assert.equal(await throughGateway(options, pair), 2000);
      assert.ok(backend.requests.entries.length >= 3, 'registration, the look at it, the forwarded request');
      assert.deepEqual([...new Set(backend.requests.entries.map((one) => one.wire))], [wire]);
      assert.deepEqual([...new Set(gateway.sent.entries.map((one) => one.wire))], [wire]);
      assert.equal(gateway.requests.last?.wire, 'http');
      const seen = new RegExp(`^GET /\\S* from \\S+ over ${wireNames[wire]}, answered 200 \\(2000\\)$`);
      assert.match(String(backend.requests.last), seen);
      backend.requests.expectNoRequest({ wire: 'http' });
    });

for (const wire of wires)
  test(`a subscription at the gateway notifies an application of the backend over ${wireNames[wire]}`, async () => {
    await using pair = await startPair({ dialect: 'onem2m', [wire]: true });
    const { gateway, backend } = pair;
    await using inbox = backend.openInbox();
    await create(backend, '', 2, { 'm2m:ae': { rn: 'app', api: 'Napp', rr: true, srv: ['3'], poa: [inbox.url] } });
    await create(gateway, '', 3, { 'm2m:cnt': { rn: 'data' } });
    const subscription = { rn: 'watch', nu: [`/${backend.cseId}/CApp`], enc: { net: [3] } };
    await create(gateway, '/data', 23, { 'm2m:sub': subscription });
    await create(gateway, '/data', 4, { 'm2m:cin': { con: 'news' } });
    assert.equal((await inbox.next()).content, 'news');
    await backend.requests.expectRequest({ operation: 'notify', wire });
  });

async function create({ url, base }: PairMember, below: string, ty: number, content: object): Promise<void> {
  const answer = await fetch(`${url}/${base}${below}`, {
    method: 'POST',
    headers: {
      ...{ 'X-M2M-Origin': ty === 2 ? 'CApp' : 'CAdmin', 'X-M2M-RI': 'posted', 'X-M2M-RVI': '3' },
      'Content-Type': `application/json;ty=${ty}`,
    },
    body: JSON.stringify(content),
  });
  assert.equal(answer.status, 201, await answer.text());
}

for (const wire of ['ws', 'coap'] as const)
  test(`a pair that is disconnected is so over ${wireNames[wire]}`, async () => {
    const options = { dialect: 'onem2m', clock: 'manual', [wire]: true } as const;
    await using pair = await startPair(options);
    pair.disconnect();
    assert.equal(await throughGateway(options, pair), 5103);
    await pair.reconnect();
    assert.equal(await throughGateway(options, pair), 2000);
  });

test('a pair that is disconnected is so over MQTT too, and no other is at the same server', async () => {
  await using first = await startPair({ ...standard, clock: 'manual' });
  const mqtt = { url: String(first.broker?.url) };
  const names = { gateway: { cseId: 'id-mn-b' }, backend: { cseId: 'id-in-b' } };
  await using second = await startPair({ ...standard, ...names, mqtt });
  assert.equal(second.broker, undefined);
  first.disconnect();
  assert.equal(await throughGateway(standard, first), 5103);
  assert.equal(await throughGateway(standard, second), 2000);
  await first.reconnect();
  assert.equal(await throughGateway(standard, first), 2000);
});

for (const tls of ['server', 'mutual'] as const)
  test(`with TLS (${tls}) the MQTT server speaks it, by the certificates of the pair`, async () => {
    await using pair = await startPair({ ...standard, tls });
    assert.match(String(pair.broker?.url), /^mqtts:/);
    assert.deepEqual([...new Set(pair.backend.requests.entries.map(({ wire }) => wire))], ['mqtt']);
  });

for (const tls of ['server', 'mutual'] as const)
  test(`with TLS (${tls}) the CSEs speak over wss, by the certificates of the pair`, async () => {
    const options = { dialect: 'onem2m', ws: true, tls } as const;
    await using pair = await startPair(options);
    assert.match(String(pair.backend.wsUrl), /^wss:/);
    assert.deepEqual([...new Set(pair.backend.requests.entries.map(({ wire }) => wire))], ['ws']);
  });

test('once the MQTT server has been restarted, the pair is one again by itself', async () => {
  await using pair = await startPair(standard);
  await pair.broker?.restart();
  while ((await throughGateway(standard, pair)) !== 2000);
});

for (const wire of wires)
  test(`a gateway alone registers over ${wireNames[wire]} at a backend that somebody else runs`, async () => {
    await using pair = await startPair({ dialect: 'onem2m', [wire]: true });
    const { [urlOver[wire]]: url = '', cseId, base } = pair.backend;
    const joins = { dialect: 'onem2m', cseId: 'id-mn-2', [wire]: wire === 'mqtt' ? { url } : true } as const;
    await using gateway = await startGateway({ ...joins, backend: { url, cseId, base } });
    await gateway.whenRegistered();
    const registration = pair.backend.cse.core.tree.byAlias('/id-mn-2');
    assert.deepEqual(registration?.values.poa, [gateway[urlOver[wire]]]);
  });

test('its WebSocket and CoAP URLs have the host name of its HTTP URL', async () => {
  const cse = { pointOfAccess: ['https://gateway.example:8443/'] };
  await using node = await startNode({ cse, ws: {}, coap: {} });
  const ports = node.cse.core.tree.base.values.poa;
  assert.ok(Array.isArray(ports));
  const names = ports.map((point) => String(point).replace(/:\d+\/?$/, ''));
  assert.deepEqual(names, ['https://gateway.example', 'ws://gateway.example', 'coap://gateway.example']);
  assert.match(String(node.wsUrl), /^ws:\/\/127\.0\.0\.1:/);
});

test('a missing MQTT server is reported, and nothing is left running', async () => {
  await assert.rejects(startPair({ ...standard, mqtt: { url: 'mqtt://127.0.0.1:1' } }), {
    name: 'UnreachableError',
    message: /ECONNREFUSED/,
  });
});
