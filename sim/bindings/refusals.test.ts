/** Limits, and failures of the service: what the client gets, and how its connection ends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serveHttp } from './http.ts';
import { assertRefused, assertServes, handedOver, only, serveEcho } from './testing/echo-server.ts';
import { createEchoService } from './testing/echo-service.ts';
import { answersIn, converse, RawClient } from './testing/raw-client.ts';

const HOST = 'Host: a\r\n';
const LAST = `${HOST}Connection: close\r\n`;

describe('refusals', () => {
  test('a client that is still sending can read the answer', async () => {
    await using running = await serveEcho();
    const size = 8 * 1024 * 1024;
    const head = `POST / HTTP/1.1\r\n${HOST}Content-Length: ${size}\r\n\r\n`;
    const { answers, ending } = await converse(
      running.port,
      Buffer.concat([Buffer.from(head), Buffer.alloc(size, 'a')]),
    );
    assertRefused(only(answers), 413, 4000, 'limit of 1048576 bytes');
    assert.equal(ending, 'closed');
    assert.deepEqual(running.service.targets, []);
  });

  test('a client that never stops sending is cut', async () => {
    await using running = await serveEcho({ limits: { drainBytes: 1000, drainMilliseconds: 50 } });
    const client = new RawClient(running.port);
    const more = (): boolean =>
      client.socket.write(Buffer.alloc(64 * 1024, 'a'), () => client.socket.writable && more());
    client.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 999999999999\r\n\r\n`);
    more();
    await client.ended;
    await assertServes(running.port);
    assert.deepEqual(handedOver(running.service), []);
  });

  test('the refusal of a HEAD has no body', async () => {
    await using running = await serveEcho();
    for (const target of [`/${'a'.repeat(8192)}`, `/${'a'.repeat(50_000)}`]) {
      const client = new RawClient(running.port);
      client.send(`HEAD ${target} HTTP/1.1\r\n${HOST}\r\n`);
      await client.ended;
      const text = client.received.toString();
      assert.match(text, /^HTTP\/1\.1 414 /);
      assert.ok(text.endsWith('\r\n\r\n'));
    }
  });

  test('a request line and a header over the limit are told apart in pieces', async () => {
    await using running = await serveEcho();
    const half = 'a'.repeat(20_000);
    for (const [pieces, status, text] of [
      [[`GET /${half}`, `${half} HTTP/1.1\r\n${HOST}\r\n`], 414, 'limit of 8192 bytes'],
      [[`GET / HTTP/1.1\r\n${HOST}X-A: ${half}`, `${half}\r\n\r\n`], 431, '8192 and 16384 bytes'],
      [[`GET / HTTP/1.1\r\n${HOST}X-A: ${half} ${half}`, '\r\n\r\n'], 431, '8192 and 16384 bytes'],
    ] as const) {
      const client = new RawClient(running.port);
      for (const piece of pieces) {
        await new Promise<void>((resolve) => client.socket.write(piece, () => setImmediate(resolve)));
      }
      await client.ended;
      assertRefused(only(answersIn(client.received, false)), status, 4000, text);
    }
  });

  test('the refusal of an unknown method names the known ones', async () => {
    await using running = await serveEcho();
    const { answers } = await converse(running.port, `BREW / HTTP/1.1\r\n${HOST}\r\n`);
    assertRefused(only(answers), 405, 4005, 'no such method');
    assert.equal(answers[0]?.headers.allow, 'GET, HEAD, POST, PUT, DELETE, OPTIONS');
  });

  test('a request that does not arrive in time is refused and cut', async () => {
    await using running = await serveEcho({ limits: { requestMilliseconds: 40 } });
    for (const beginning of ['', 'GET / HT', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nabc`]) {
      const client = new RawClient(running.port);
      client.send(beginning);
      assert.equal(await client.ended, 'closed');
      assertRefused(only(await client.answers(1)), 408, 4008, 'limit of 40 milliseconds');
    }
    assert.deepEqual(running.service.targets, []);
  });

  test('a client that sends a byte now and then is cut all the same', async () => {
    await using running = await serveEcho({ limits: { requestMilliseconds: 60, drainMilliseconds: 50 } });
    const client = new RawClient(running.port);
    client.send(`GET / HTTP/1.1\r\n${HOST}X-Slow: `);
    const drip = setInterval(() => client.socket.writable && client.send('a'), 10);
    await client.ended;
    clearInterval(drip);
    assert.match(client.received.toString(), /^HTTP\/1\.1 408 /);
  });

  test('an idle connection is closed without an answer', async () => {
    await using running = await serveEcho({ limits: { idleMilliseconds: 20 } });
    const client = new RawClient(running.port);
    client.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    assert.equal(await client.ended, 'closed');
    assert.equal((await client.answers(1)).length, 1);
  });

  test('a connection over the limit is closed unanswered', async () => {
    const incidents: string[] = [];
    const onIncident = (line: string): void => void incidents.push(line);
    await using running = await serveEcho({ limits: { connections: 1 }, onIncident });
    const first = new RawClient(running.port);
    first.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await first.answers(1);
    const second = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}\r\n`);
    assert.deepEqual(second.answers, []);
    assert.match(String(incidents), /which is the limit \(connections\)/);
    first.close();
  });

  test('as many trailer fields as header lines are taken, and no more', async () => {
    await using running = await serveEcho({ limits: { headerCount: 5 } });
    const sent = (fields: number) =>
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n${'X-T: 1\r\n'.repeat(fields)}\r\n`;
    const codes = await Promise.all(
      [5, 6].map(async (fields) => {
        const client = new RawClient(running.port);
        client.send(sent(fields));
        const [answer] = await client.answers(1);
        client.close();
        return answer?.status;
      }),
    );
    assert.deepEqual(codes, [200, 431]);
  });
});

describe('a service that fails', () => {
  test('on the refusal too: the connection closes and the next client is served', async () => {
    const echo = createEchoService();
    const failures: unknown[] = [];
    const refuse = (): never => {
      throw new Error('no refusal either');
    };
    const service = { handle: echo.handle, refuse };
    await using server = await serveHttp(service, { hosts: ['a'], onError: (error) => failures.push(error) });
    for (const [target, reported] of [
      ['/rejects', 2],
      ['/throws', 2],
      ['/a#b', 1],
    ] as const) {
      failures.length = 0;
      const { answers } = await converse(server.port, `GET ${target} HTTP/1.1\r\n${HOST}\r\n`);
      assert.deepEqual(answers, []);
      assert.equal(failures.length, reported);
      await assertServes(server.port);
    }
  });

  test('on one request: the others of the connection are served', async () => {
    await using running = await serveEcho();
    const bytes = `GET /rejects HTTP/1.1\r\n${HOST}\r\nGET /2 HTTP/1.1\r\n${LAST}\r\n`;
    const { answers } = await converse(running.port, bytes);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [500, 200],
    );
    assert.equal(running.failures.length, 1);
  });
});
