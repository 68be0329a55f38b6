/** A pair whose CSEs reach each other by an MQTT server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PairOptions, startGateway, startPair } from './pair.ts';

const standard = { dialect: 'onem2m', mqtt: true } as const;

/** Asks the gateway, over HTTP, for the CSE base of its backend. */
async function throughGateway(options: PairOptions, { gateway, backend }: Awaited<ReturnType<typeof startPair>>) {
  const originator = options.dialect === 'onem2m' ? `/${gateway.cseId}` : `//${gateway.spId}/${gateway.cseId}`;
  const answer = await fetch(`${gateway.url}/~/${backend.cseId}/${backend.base}`, {
    headers: { 'X-M2M-Origin': originator, 'X-M2M-RI': 'through', 'X-M2M-RVI': '3' },
  });
  return Number(answer.headers.get('x-m2m-rsc'));
}

for (const options of [standard, { mqtt: true }] as const)
  test(`the ${'dialect' in options ? 'onem2m' : 'documented'} dialect: a gateway registers and forwards over MQTT, and journals say so`, async () => {
    await using pair = await startPair(options);
    const { gateway, backend, broker } = pair;
    assert.equal(gateway.mqttUrl, broker?.url);
    assert.match(String(backend.mqttUrl), /^mqtt:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await throughGateway(options, pair), 2000);
    assert.ok(backend.requests.entries.length >= 3, 'registration, the look at it, the forwarded request');
    assert.deepEqual([...new Set(backend.requests.entries.map(({ wire }) => wire))], ['mqtt']);
    assert.deepEqual([...new Set(gateway.sent.entries.map(({ wire }) => wire))], ['mqtt']);
    assert.equal(gateway.requests.last?.wire, 'http');
    assert.match(String(backend.requests.last), /^GET \/\S* from \S+ over MQTT, answered 200 \(2000\)$/);
    backend.requests.expectNoRequest({ wire: 'http' });
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

test('once the MQTT server has been restarted, the pair is one again by itself', async () => {
  await using pair = await startPair(standard);
  await pair.broker?.restart();
  while ((await throughGateway(standard, pair)) !== 2000);
});

test('a gateway alone registers at a backend by the MQTT server that both are at', async () => {
  await using pair = await startPair(standard);
  const { mqttUrl = '', cseId, base } = pair.backend;
  const joins = { dialect: 'onem2m', cseId: 'id-mn-2', mqtt: { url: mqttUrl } } as const;
  await using gateway = await startGateway({ ...joins, backend: { url: mqttUrl, cseId, base } });
  await gateway.whenRegistered();
  const registration = pair.backend.cse.core.tree.byAlias('/id-mn-2');
  assert.deepEqual(registration?.values.poa, [mqttUrl]);
});

test('an MQTT server that is not there is said to be, and nothing is left running', async () => {
  await assert.rejects(startPair({ ...standard, mqtt: { url: 'mqtt://127.0.0.1:1' } }), {
    name: 'UnreachableError',
    message: /ECONNREFUSED/,
  });
});
