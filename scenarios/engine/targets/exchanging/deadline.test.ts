import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { deadline } from './deadline.ts';
import { urlTarget } from './url.ts';

/** Nothing else of this process runs meanwhile. */
function block(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('the time in which the process could not run does not count', async () => {
  const ended: string[] = [];
  const turns = (async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    ended.push('what was there to be done');
  })();
  const limit = new Promise<void>((resolve) => {
    deadline(300, () => {
      ended.push('the limit');
      resolve();
    });
  });
  block(700);
  await Promise.all([limit, turns]);
  assert.deepEqual(ended, ['what was there to be done', 'the limit']);
});

test('limits end in their order, and what was stopped never does', async () => {
  const ended: number[] = [];
  const stop = deadline(20, () => ended.push(20));
  await new Promise<void>((resolve) => {
    deadline(400, () => {
      ended.push(400);
      resolve();
    });
    deadline(60, () => ended.push(60));
    stop();
  });
  assert.deepEqual(ended, [60, 400]);
});

test('a target that answered while this process was busy has answered', async (t) => {
  const server = createServer((_, response) => void response.end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const description = {
    kind: 'url',
    name: 'busy',
    url,
    base: 'onem2m',
    cseId: 'mn-cse-1',
    spId: 'example.org',
  } as const;
  const target = urlTarget({ description, connections: 1, timeout: 400, startedAt: 0, keepAlive: true });
  t.after(() => target.close());
  const message = { method: 'GET', path: '/onem2m', headers: [] };
  const exchanges = [
    target.send(message, {}),
    target.send({ ...message, version: '1.1', addHost: true, addContentLength: true }),
  ];
  await new Promise(setImmediate);
  block(900);
  for (const { answer, failure } of await Promise.all(exchanges))
    assert.deepEqual([answer?.status, failure], [200, undefined]);
});
