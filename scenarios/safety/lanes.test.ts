import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { asRaw } from '../engine/messages/target.ts';
import { exchangeBytes } from '../engine/targets/exchanging/conversation.ts';
import { ConnectionSlots } from '../engine/targets/exchanging/load-limits.ts';
import { urlTarget } from '../engine/targets/exchanging/url.ts';
import { httpServer } from '../engine/targets/test-servers.ts';

const names = { kind: 'url', base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' } as const;

for (const count of [1, 2]) {
  test(`with ${count} at the same time, kept and raw connections to two CSEs are never more`, async (t) => {
    let open = 0;
    let most = 0;
    const ports = new Set<number | undefined>();
    // Other tests of the process connect as well, elsewhere.
    const onSocket = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => {
        if (!ports.has(socket.remotePort)) return;
        open += 1;
        most = Math.max(most, open);
        socket.once('close', () => {
          open -= 1;
        });
      });
    };
    subscribe('net.client.socket', onSocket);
    t.after(() => unsubscribe('net.client.socket', onSocket));
    const lanes = new ConnectionSlots(count);
    const options = { connections: 8, timeout: 2000, keepAlive: true, startedAt: 0, slots: lanes };
    const urls = [await httpServer(t, (_, answer) => answer.end()), await httpServer(t, (_, answer) => answer.end())];
    for (const url of urls) ports.add(Number(new URL(url).port));
    const targets = urls.map((url) => urlTarget({ ...options, description: { ...names, url } }));
    const request = { method: 'GET', path: '/', headers: [] };
    const sent = Array.from({ length: 12 }, (_, at) => {
      const target = targets[at % 2] ?? targets[0];
      return target?.send(at % 3 === 0 ? asRaw(request) : request);
    });
    const answers = await Promise.all(sent);
    await lanes.close();
    assert.deepEqual(new Set(answers.map((one) => one?.answer?.status)), new Set([200]));
    assert.equal(most, count);
  });
}

test('the answer to a raw request is reported when its connection is closed, and makes room', async (t) => {
  let closed = 0;
  const onSocket = (message: unknown) => {
    (message as { socket: Socket }).socket.once('close', () => {
      closed += 1;
    });
  };
  subscribe('net.client.socket', onSocket);
  t.after(() => unsubscribe('net.client.socket', onSocket));
  const { hostname: host, port } = new URL(await httpServer(t, (_, answer) => answer.end()));
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const options = { host, port: Number(port), method: 'GET', timeout: 2000, watchConnection: 0 };
  const { answer } = await exchangeBytes(bytes, options);
  assert.deepEqual([answer?.status, closed], [200, 1]);
});

test('a lane keeps its connection for requests of the same kind', async (t) => {
  const sockets = new Set<Socket>();
  const url = await httpServer(t, (incoming, answer) => {
    sockets.add(incoming.socket);
    answer.end();
  });
  const lanes = new ConnectionSlots(1);
  const options = { connections: 8, timeout: 2000, keepAlive: true, startedAt: 0, slots: lanes };
  const target = urlTarget({ ...options, description: { ...names, url } });
  for (let at = 0; at < 3; at += 1) await target.send({ method: 'GET', path: '/', headers: [] });
  await lanes.close();
  assert.equal(sockets.size, 1);
});
