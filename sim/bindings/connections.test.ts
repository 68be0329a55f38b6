/** Connections that end early, and the beginning and the end of a server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { assertServes, handedOver, only, serveEcho } from './testing/echo-server.ts';
import { converse, RawClient } from './testing/raw-client.ts';

const HOST = 'Host: a\r\n';
const LAST = `${HOST}Connection: close\r\n`;

describe('clients that go away', () => {
  test('in the middle of a request: nothing is handed over', async () => {
    await using running = await serveEcho();
    const client = new RawClient(running.port);
    client.send(`POST /left HTTP/1.1\r\n${HOST}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`);
    await client.receives('100 Continue');
    client.socket.resetAndDestroy();
    await client.ended;
    await assertServes(running.port);
    assert.deepEqual(handedOver(running.service), []);
  });

  test('before the answer: the answer is dropped', async () => {
    await using running = await serveEcho();
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    await running.service.arrival('/held/a');
    client.socket.resetAndDestroy();
    await client.ended;
    await assertServes(running.port);
    running.service.release('a');
    await assertServes(running.port);
    assert.deepEqual(running.failures, []);
  });

  test('in the middle of an answer: the rest is dropped', async () => {
    await using running = await serveEcho();
    const client = new RawClient(running.port);
    client.socket.once('data', () => client.socket.resetAndDestroy());
    client.send(`GET /large HTTP/1.1\r\n${HOST}\r\n`.repeat(10));
    await client.ended;
    await assertServes(running.port);
    assert.deepEqual(running.failures, []);
  });
});

describe('listening and closing', () => {
  test('the URL is usable as it is', async () => {
    for (const [address, url] of [
      ['127.0.0.1', 'http://127.0.0.1'],
      ['0.0.0.0', 'http://127.0.0.1'],
      ['::1', 'http://[::1]'],
      ['::', 'http://[::1]'],
    ] as const) {
      await using running = await serveEcho({ interface: address });
      assert.equal(running.server.url, `${url}:${running.port}`);
      assert.equal((await fetch(`${running.server.url}/`)).status, 200);
    }
  });

  test("'::' serves IPv4 and IPv6", async () => {
    await using running = await serveEcho({ interface: '::' });
    for (const host of ['127.0.0.1', '::1']) {
      const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${LAST}\r\n`, { host });
      assert.equal(only(answers).status, 200);
    }
  });

  test('a port in use rejects', async () => {
    await using running = await serveEcho();
    await assert.rejects(serveEcho({ port: running.port }), { code: 'EADDRINUSE' });
  });

  test('a limit that is no whole number rejects and names it', async () => {
    await assert.rejects(serveEcho({ limits: { bodyBytes: Number.NaN } }), /bodyBytes/);
    await assert.rejects(serveEcho({ limits: { headerCount: -1 } }), /headerCount/);
  });

  test('closing ends idle and silent connections at once', async () => {
    const running = await serveEcho({
      limits: { idleMilliseconds: 0, requestMilliseconds: 0, closeMilliseconds: 600_000 },
    });
    const idle = new RawClient(running.port);
    idle.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await idle.answers(1);
    const silent = new RawClient(running.port);
    await once(silent.socket, 'connect');
    await assertServes(running.port);
    await running.server.close();
    await Promise.all([idle.ended, silent.ended]);
  });

  test('closing lets running requests finish and says that the connection closes', async () => {
    const running = await serveEcho({ limits: { closeMilliseconds: 600_000 } });
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    await running.service.arrival('/held/a');
    const closed = running.server.close();
    running.service.release('a');
    await closed;
    await client.ended;
    assert.equal(only(await client.answers(1)).headers.connection, 'close');
  });

  test('closing cuts requests that do not finish', async () => {
    const running = await serveEcho({ limits: { closeMilliseconds: 20 } });
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    await running.service.arrival('/held/a');
    await running.server.close();
    await client.ended;
    assert.equal(client.received.length, 0);
  });

  test('closing twice is closing once', async () => {
    const running = await serveEcho();
    await Promise.all([running.server.close(), running.server.close()]);
    await running.server.close();
    await assert.rejects(fetch(running.server.url));
  });
});
