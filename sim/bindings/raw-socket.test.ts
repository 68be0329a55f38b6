import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { type HttpServerOptions, serveHttp } from './http.ts';
import { createEchoService, type Echo, type EchoService } from './testing/echo-service.ts';
import { MALFORMED_REQUESTS } from './testing/malformed-requests.ts';
import { converse, type RawAnswer, RawClient } from './testing/raw-client.ts';

const HOST = 'Host: a\r\n';
const LAST = `${HOST}Connection: close\r\n`;

async function serve(options: HttpServerOptions = {}) {
  const service = createEchoService();
  const failures: unknown[] = [];
  const server = await serveHttp(service, { onError: (error) => failures.push(error), ...options });
  return { service, server, failures, port: server.port, [Symbol.asyncDispose]: () => server.close() };
}

function only(answers: readonly RawAnswer[]): RawAnswer {
  const [answer] = answers;
  assert.ok(answer !== undefined && answers.length === 1, `one answer is expected, not ${answers.length}`);
  return answer;
}

const echoIn = (answer: RawAnswer | undefined): Echo => JSON.parse(answer?.body ?? 'null');
const targetsIn = (answers: readonly RawAnswer[]): string[] => answers.map((answer) => echoIn(answer).target);

function assertRefused(answer: RawAnswer, status: number, code: number, text: string): void {
  assert.equal(answer.status, status);
  assert.equal(answer.headers['x-m2m-rsc'], String(code));
  assert.equal(answer.headers.connection, 'close');
  assert.ok(JSON.parse(answer.body)['m2m:dbg'].includes(text), answer.body);
}

async function assertServes(port: number): Promise<void> {
  const { answers } = await converse(port, `GET /still-there HTTP/1.1\r\n${LAST}\r\n`);
  assert.equal(echoIn(only(answers)).target, '/still-there');
}

const handedOver = (service: EchoService): string[] => service.targets.filter((target) => target !== '/still-there');

describe('requests and answers', () => {
  test('the target of an absolute form loses scheme and host', async () => {
    await using running = await serve();
    for (const [target, origin] of [
      ['http://a/b?c=d', '/b?c=d'],
      ['HTTPS://a:1/b', '/b'],
      ['http://[::1]:8000', '/'],
      ['http://a?c', '/?c'],
    ]) {
      const { answers } = await converse(running.port, `GET ${target} HTTP/1.1\r\n${LAST}\r\n`);
      assert.equal(echoIn(only(answers)).target, origin);
    }
  });

  test('OPTIONS for a host without a path is OPTIONS *', async () => {
    await using running = await serve();
    const { answers } = await converse(running.port, `OPTIONS http://a HTTP/1.1\r\n${LAST}\r\n`);
    assert.equal(echoIn(only(answers)).target, '*');
  });

  test('repeated headers arrive joined', async () => {
    await using running = await serve();
    const lines = 'X-M2M-Origin: a\r\nAccept: b\r\nx-m2m-origin: c\r\nContent-Type: d\r\nContent-Type: e\r\n';
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${LAST}${lines}\r\n`);
    const { headers } = echoIn(only(answers));
    assert.equal(headers['x-m2m-origin'], 'a, c');
    assert.equal(headers['content-type'], 'd, e');
  });

  test('a chunked body arrives whole, whatever its pieces, extensions and trailers', async () => {
    await using running = await serve();
    const head = `POST / HTTP/1.1\r\n${LAST}Transfer-Encoding: chunked\r\n\r\n`;
    const bytes = `${head}3;a=b\r\nabc\r\n0001\r\nd\r\n0\r\nX-Trailer: e\r\n\r\n`;
    const { answers } = await converse(running.port, bytes);
    assert.equal(echoIn(only(answers)).body, 'abcd');
  });

  test('a request that arrives byte by byte is a request', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.socket.setNoDelay(true);
    for (const byte of `POST /slow HTTP/1.1\r\n${LAST}Content-Length: 4\r\n\r\nbody`) {
      await new Promise<void>((resolve) => client.socket.write(byte, () => setImmediate(resolve)));
    }
    const [answer] = await client.answers(1);
    assert.equal(echoIn(answer).body, 'body');
  });

  test('an Upgrade is ignored', async () => {
    await using running = await serve();
    const lines = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}${lines}\r\n`);
    assert.equal(only(answers).status, 200);
  });

  test('an answer names its date and its length', async () => {
    await using running = await serve();
    const { headers } = only((await converse(running.port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).answers);
    assert.ok(Number.isFinite(Date.parse(headers.date ?? '')));
    assert.ok(Number(headers['content-length']) > 0);
    assert.equal(headers['transfer-encoding'], undefined);
  });

  test('HTTP/1.0 needs no Host and closes', async () => {
    await using running = await serve();
    const { answers, ending } = await converse(running.port, 'GET / HTTP/1.0\r\n\r\n');
    assert.equal(only(answers).headers.connection, 'close');
    assert.equal(ending, 'closed');
  });

  test('HTTP/1.0 with keep-alive keeps the connection', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.send('GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    await client.answers(1);
    client.send('GET /2 HTTP/1.0\r\n\r\n');
    const answers = await client.answers(2);
    assert.deepEqual(targetsIn(answers), ['/1', '/2']);
    assert.equal(answers[0]?.headers.connection, 'keep-alive');
    assert.equal(await client.ended, 'closed');
  });

  test('a client that closes its sending side still gets the answer', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    client.socket.end();
    await running.service.arrival('/held/a');
    running.service.release('a');
    assert.deepEqual(targetsIn(await client.answers(1)), ['/held/a']);
    assert.equal(await client.ended, 'closed');
  });
});

describe('several requests on one connection', () => {
  test('pipelined requests are handed over in order, bodies or not', async () => {
    await using running = await serve();
    const post = (target: string) => `POST ${target} HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`;
    const get = (target: string, lines = HOST) => `GET ${target} HTTP/1.1\r\n${lines}\r\n`;
    const bytes = post('/1') + get('/2') + post('/3') + post('/4') + get('/5', LAST);
    const { answers } = await converse(running.port, bytes);
    const order = ['/1', '/2', '/3', '/4', '/5'];
    assert.deepEqual(running.service.targets, order);
    assert.deepEqual(targetsIn(answers), order);
  });

  test('answers keep the order of the requests when the service does not', async () => {
    await using running = await serve();
    const targets = ['/held/a', '/held/b', '/held/c'];
    const client = new RawClient(running.port);
    client.send(targets.map((target) => `GET ${target} HTTP/1.1\r\n${HOST}\r\n`).join(''));
    await running.service.arrival('/held/c');
    for (const name of ['c', 'b', 'a']) running.service.release(name);
    assert.deepEqual(targetsIn(await client.answers(3)), targets);
    client.close();
  });

  test('a refusal comes after the answers before it', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    await running.service.arrival('/held/a');
    client.send(`BREW / HTTP/1.1\r\n${HOST}\r\n`);
    client.send(`GET /never HTTP/1.1\r\n${HOST}\r\n`);
    await new Promise((resolve) => client.socket.write('', resolve));
    running.service.release('a');
    const answers = await client.answers(2);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 405],
    );
    assert.equal(await client.ended, 'closed');
    assert.deepEqual(running.service.targets, ['/held/a']);
  });

  test('what follows a request that closes is not looked at', async () => {
    await using running = await serve();
    const { answers } = await converse(running.port, `GET /1 HTTP/1.1\r\n${LAST}\r\nGET /2 HTTP/1.1\r\n${HOST}\r\n`);
    assert.deepEqual(targetsIn(answers), ['/1']);
    assert.deepEqual(running.service.targets, ['/1']);
  });
});

describe('Expect', () => {
  test('100-continue is answered before the body is sent', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.send(`POST / HTTP/1.1\r\n${LAST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
    await client.receives('HTTP/1.1 100 Continue\r\n\r\n');
    client.send('{}');
    assert.equal(echoIn((await client.answers(1))[0]).body, '{}');
  });

  test('100-continue with a length over the limit is refused without the 100', async () => {
    await using running = await serve({ limits: { bodyBytes: 10 } });
    const client = new RawClient(running.port);
    client.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 11\r\nExpect: 100-continue\r\n\r\n`);
    assert.equal(await client.ended, 'closed');
    assert.equal(client.received.includes('100 Continue'), false);
    assertRefused(only(await client.answers(1)), 413, 4000, 'limit of 10 bytes');
  });

  test('another expectation is refused', async () => {
    await using running = await serve();
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}Expect: a\r\n\r\n`);
    assertRefused(only(answers), 417, 4000, '100-continue');
    assert.deepEqual(running.service.targets, []);
  });
});

describe('refusals', () => {
  test('a client that is still sending can read the answer', async () => {
    await using running = await serve();
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
    await using running = await serve({ limits: { drainBytes: 1000, drainMilliseconds: 50 } });
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
    await using running = await serve();
    for (const target of [`/${'a'.repeat(8192)}`, `/${'a'.repeat(50_000)}`]) {
      const client = new RawClient(running.port);
      client.send(`HEAD ${target} HTTP/1.1\r\n${HOST}\r\n`);
      await client.ended;
      const text = client.received.toString();
      assert.match(text, /^HTTP\/1\.1 414 /);
      assert.ok(text.endsWith('\r\n\r\n'));
    }
  });

  test('a request line or a header over the limit is told apart in pieces', async () => {
    await using running = await serve();
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

  test('an unknown method is told the known ones', async () => {
    await using running = await serve();
    const { answers } = await converse(running.port, `BREW / HTTP/1.1\r\n${HOST}\r\n`);
    assertRefused(only(answers), 405, 4005, 'no such method');
    assert.equal(answers[0]?.headers.allow, 'GET, HEAD, POST, PUT, DELETE, OPTIONS');
  });

  test('a request that does not arrive in time is refused and cut', async () => {
    await using running = await serve({ limits: { requestMilliseconds: 40 } });
    for (const beginning of ['', 'GET / HT', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nabc`]) {
      const client = new RawClient(running.port);
      client.send(beginning);
      assert.equal(await client.ended, 'closed');
      assertRefused(only(await client.answers(1)), 408, 4008, 'limit of 40 milliseconds');
    }
    assert.deepEqual(running.service.targets, []);
  });

  test('a client that sends a byte now and then is cut all the same', async () => {
    await using running = await serve({ limits: { requestMilliseconds: 60, drainMilliseconds: 50 } });
    const client = new RawClient(running.port);
    client.send(`GET / HTTP/1.1\r\n${HOST}X-Slow: `);
    const drip = setInterval(() => client.socket.writable && client.send('a'), 10);
    await client.ended;
    clearInterval(drip);
    assert.match(client.received.toString(), /^HTTP\/1\.1 408 /);
  });

  test('an idle connection is closed without an answer', async () => {
    await using running = await serve({ limits: { idleMilliseconds: 20 } });
    const client = new RawClient(running.port);
    client.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    assert.equal(await client.ended, 'closed');
    assert.equal((await client.answers(1)).length, 1);
  });

  test('a connection over the limit is closed unanswered', async () => {
    await using running = await serve({ limits: { connections: 1 } });
    const first = new RawClient(running.port);
    first.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await first.answers(1);
    const second = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}\r\n`);
    assert.deepEqual(second.answers, []);
    first.close();
  });
});

describe('malformed requests', () => {
  for (const { name, bytes, outcomes } of MALFORMED_REQUESTS) {
    test(name, async () => {
      await using running = await serve();
      const client = new RawClient(running.port);
      client.socket.end(Buffer.from(bytes, 'latin1'));
      const ending = await client.ended;
      const text = client.received.toString();
      const last = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].at(-1)?.[1];
      const outcome = last === undefined ? 'closed' : Number(last);
      assert.ok(outcomes.includes(outcome), `${outcome} is not one of ${outcomes.join(', ')}: ${text}`);
      assert.equal(ending, 'closed');
      if (outcome !== 'closed') assert.match(text, /"m2m:dbg":"[^"]/);
      await assertServes(running.port);
      assert.deepEqual(running.failures, []);
    });
  }
});

describe('clients that go away', () => {
  test('in the middle of a request: nothing is handed over', async () => {
    await using running = await serve();
    const client = new RawClient(running.port);
    client.send(`POST /left HTTP/1.1\r\n${HOST}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`);
    await client.receives('100 Continue');
    client.socket.resetAndDestroy();
    await client.ended;
    await assertServes(running.port);
    assert.deepEqual(handedOver(running.service), []);
  });

  test('before the answer: the answer is dropped', async () => {
    await using running = await serve();
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
    await using running = await serve();
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
      await using running = await serve({ interface: address });
      assert.equal(running.server.url, `${url}:${running.port}`);
      assert.equal((await fetch(`${running.server.url}/`)).status, 200);
    }
  });

  test("'::' serves IPv4 and IPv6", async () => {
    await using running = await serve({ interface: '::' });
    for (const host of ['127.0.0.1', '::1']) {
      const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${LAST}\r\n`, { host });
      assert.equal(only(answers).status, 200);
    }
  });

  test('a port in use rejects', async () => {
    await using running = await serve();
    await assert.rejects(serve({ port: running.port }), { code: 'EADDRINUSE' });
  });

  test('a limit that is no whole number rejects and names it', async () => {
    await assert.rejects(serve({ limits: { bodyBytes: Number.NaN } }), /bodyBytes/);
    await assert.rejects(serve({ limits: { headerCount: -1 } }), /headerCount/);
  });

  test('closing ends idle and silent connections at once', async () => {
    const running = await serve({
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
    const running = await serve({ limits: { closeMilliseconds: 600_000 } });
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
    const running = await serve({ limits: { closeMilliseconds: 20 } });
    const client = new RawClient(running.port);
    client.send(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
    await running.service.arrival('/held/a');
    await running.server.close();
    await client.ended;
    assert.equal(client.received.length, 0);
  });

  test('closing twice is closing once', async () => {
    const running = await serve();
    await Promise.all([running.server.close(), running.server.close()]);
    await running.server.close();
    await assert.rejects(fetch(running.server.url));
  });
});
