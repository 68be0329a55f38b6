import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startPair } from './pair.ts';

interface Notification {
  readonly 'm2m:sgn': { readonly sur: string; readonly nev: { readonly rep: Record<string, { con: string }> } };
}

/** An application's server for notifications. */
async function pointOfAccess() {
  const received: Notification[] = [];
  let wake = () => {};
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    received.push(JSON.parse(text));
    response.writeHead(200, { 'x-m2m-rsc': '2000' }).end();
    wake();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async until(count: number) {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function send(url: string, ty: number, from: string, content: object): Promise<Record<string, { rn: string }>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': `application/json;ty=${ty}`, 'x-m2m-origin': from, 'x-m2m-ri': 'r', 'x-m2m-rvi': '2a' },
    body: JSON.stringify(content),
  });
  const text = await answer.text();
  assert.equal(answer.status, 201, text);
  return JSON.parse(text);
}

test('an application at the backend subscribes to what the gateway has, and its notifications come through the backend', async (t) => {
  await using pair = await startPair();
  const { gateway, backend } = pair;
  const poa = await pointOfAccess();
  t.after(() => poa.close());
  await send(`${gateway.url}/onem2m`, 2, 'CTestIPE', { 'm2m:ae': { rn: 'TestIPE', api: 'dummy', rr: false } });
  await send(`${gateway.url}/onem2m/TestIPE`, 3, 'CTestIPE', { 'm2m:cnt': { rn: 'measurements' } });
  const gui = '//openmtc.org/in-cse-1/CTestGUI';
  await send(`${backend.url}/onem2m`, 2, gui, { 'm2m:ae': { rn: 'TestGUI', api: 'dummy', rr: true, poa: [poa.url] } });

  const container = `${backend.url}/~/mn-cse-1/onem2m/TestIPE/measurements`;
  const enc = { notificationEventType: [3], attribute: null };
  const subscribed = await send(container, 23, gui, { 'm2m:sub': { enc, nu: [gui], su: gui } });
  assert.equal(poa.received.length, 0, 'the originator itself is not asked');
  for (const con of ['21', '22', '23'])
    await send(`${gateway.url}/onem2m/TestIPE/measurements`, 4, 'CTestIPE', { 'm2m:cin': { con } });
  await poa.until(3);
  const path = `onem2m/TestIPE/measurements/${subscribed['m2m:sub']?.rn}`;
  assert.deepEqual(
    poa.received.map(({ 'm2m:sgn': { sur, nev } }) => [sur, nev.rep['m2m:cin']?.con]),
    ['21', '22', '23'].map((con) => [`//openmtc.org/mn-cse-1/${path}`, con]),
  );
});

for (const [addressed, sp] of [
  ['/~', ''],
  ['/_/openmtc.org', '//openmtc.org'],
] as const) {
  test(`an application at the backend calls itself shortly in what it subscribes at ${addressed}/mn-cse-1`, async (t) => {
    await using pair = await startPair();
    const { gateway, backend } = pair;
    const poa = await pointOfAccess();
    t.after(() => poa.close());
    await send(`${gateway.url}/onem2m`, 3, 'CTestIPE', { 'm2m:cnt': { rn: 'measurements' } });
    await send(`${backend.url}/onem2m`, 2, 'CTestGUI', {
      'm2m:ae': { rn: 'GUI', api: 'dummy', rr: true, poa: [poa.url] },
    });
    const container = `${backend.url}${addressed}/mn-cse-1/onem2m/measurements`;
    const sub = { rn: 'sub', enc: { net: [3] }, nu: ['CTestGUI'], su: 'CTestGUI' };
    const subscribed = await send(container, 23, 'CTestGUI', { 'm2m:sub': sub });
    assert.equal(poa.received.length, 0, 'the originator itself is not asked');
    await send(`${gateway.url}/onem2m/measurements`, 4, 'CTestIPE', { 'm2m:cin': { con: '21' } });
    await poa.until(1);
    const { sur } = poa.received[0]?.['m2m:sgn'] ?? {};
    assert.equal(sur, `${sp}/mn-cse-1/onem2m/measurements/sub`);
    const { nu, su } = subscribed['m2m:sub'] as unknown as Record<string, unknown>;
    assert.deepEqual([nu, su], [[`${sp}/in-cse-1/CTestGUI`], `${sp}/in-cse-1/CTestGUI`]);
    const removed = await fetch(`${container}/sub`, { method: 'DELETE', headers: { 'x-m2m-origin': 'CTestGUI' } });
    assert.equal(removed.status, 200);
    await poa.until(2);
  });
}
