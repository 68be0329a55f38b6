/** Exact bytes in, exact answers out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused, assertServes, echoIn, only, serveEcho, targetsIn } from './testing/echo-server.ts';
import { MALFORMED_REQUESTS } from './testing/malformed-requests.ts';
import { converse, RawClient } from './testing/raw-client.ts';

const HOST = 'Host: a\r\n';
const LAST = `${HOST}Connection: close\r\n`;

describe('requests and answers', () => {
  test('the target of an absolute form loses scheme and host', async () => {
    await using running = await serveEcho();
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
    await using running = await serveEcho();
    const { answers } = await converse(running.port, `OPTIONS http://a HTTP/1.1\r\n${LAST}\r\n`);
    assert.equal(echoIn(only(answers)).target, '*');
  });

  test('repeated headers arrive joined', async () => {
    await using running = await serveEcho();
    const lines = 'X-M2M-Origin: a\r\nAccept: b\r\nx-m2m-origin: c\r\nContent-Type: d\r\nContent-Type: e\r\n';
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${LAST}${lines}\r\n`);
    const { headers } = echoIn(only(answers));
    assert.equal(headers['x-m2m-origin'], 'a, c');
    assert.equal(headers['content-type'], 'd, e');
  });

  test('a chunked body arrives whole, whatever its pieces, extensions and trailers', async () => {
    await using running = await serveEcho();
    const head = `POST / HTTP/1.1\r\n${LAST}Transfer-Encoding: chunked\r\n\r\n`;
    const bytes = `${head}3;a=b\r\nabc\r\n0001\r\nd\r\n0\r\nX-Trailer: e\r\n\r\n`;
    const { answers } = await converse(running.port, bytes);
    assert.equal(echoIn(only(answers)).body, 'abcd');
  });

  test('a request that arrives byte by byte is a request', async () => {
    await using running = await serveEcho();
    const client = new RawClient(running.port);
    client.socket.setNoDelay(true);
    for (const byte of `POST /slow HTTP/1.1\r\n${LAST}Content-Length: 4\r\n\r\nbody`) {
      await new Promise<void>((resolve) => client.socket.write(byte, () => setImmediate(resolve)));
    }
    const [answer] = await client.answers(1);
    assert.equal(echoIn(answer).body, 'body');
  });

  test('an Upgrade is ignored', async () => {
    await using running = await serveEcho();
    const lines = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}${lines}\r\n`);
    assert.equal(only(answers).status, 200);
  });

  test('an answer names its date and its length', async () => {
    await using running = await serveEcho();
    const { headers } = only((await converse(running.port, `GET / HTTP/1.1\r\n${LAST}\r\n`)).answers);
    assert.ok(Number.isFinite(Date.parse(headers.date ?? '')));
    assert.ok(Number(headers['content-length']) > 0);
    assert.equal(headers['transfer-encoding'], undefined);
  });

  test('HTTP/1.0 needs no Host and closes', async () => {
    await using running = await serveEcho();
    const { answers, ending } = await converse(running.port, 'GET / HTTP/1.0\r\n\r\n');
    assert.equal(only(answers).headers.connection, 'close');
    assert.equal(ending, 'closed');
  });

  test('HTTP/1.0 with keep-alive keeps the connection', async () => {
    await using running = await serveEcho();
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
    await using running = await serveEcho();
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
    await using running = await serveEcho();
    const post = (target: string) => `POST ${target} HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`;
    const get = (target: string, lines = HOST) => `GET ${target} HTTP/1.1\r\n${lines}\r\n`;
    const bytes = post('/1') + get('/2') + post('/3') + post('/4') + get('/5', LAST);
    const { answers } = await converse(running.port, bytes);
    const order = ['/1', '/2', '/3', '/4', '/5'];
    assert.deepEqual(running.service.targets, order);
    assert.deepEqual(targetsIn(answers), order);
  });

  test('answers keep the order of the requests when the service does not', async () => {
    await using running = await serveEcho();
    const targets = ['/held/a', '/held/b', '/held/c'];
    const client = new RawClient(running.port);
    client.send(targets.map((target) => `GET ${target} HTTP/1.1\r\n${HOST}\r\n`).join(''));
    await running.service.arrival('/held/c');
    for (const name of ['c', 'b', 'a']) running.service.release(name);
    assert.deepEqual(targetsIn(await client.answers(3)), targets);
    client.close();
  });

  test('a refusal comes after the answers before it', async () => {
    await using running = await serveEcho();
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
    await using running = await serveEcho();
    const { answers } = await converse(running.port, `GET /1 HTTP/1.1\r\n${LAST}\r\nGET /2 HTTP/1.1\r\n${HOST}\r\n`);
    assert.deepEqual(targetsIn(answers), ['/1']);
    assert.deepEqual(running.service.targets, ['/1']);
  });
});

describe('Expect', () => {
  test('100-continue is answered before the body is sent', async () => {
    await using running = await serveEcho();
    const client = new RawClient(running.port);
    client.send(`POST / HTTP/1.1\r\n${LAST}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
    await client.receives('HTTP/1.1 100 Continue\r\n\r\n');
    client.send('{}');
    assert.equal(echoIn((await client.answers(1))[0]).body, '{}');
  });

  test('100-continue with a length over the limit is refused without the 100', async () => {
    await using running = await serveEcho({ limits: { bodyBytes: 10 } });
    const client = new RawClient(running.port);
    client.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 11\r\nExpect: 100-continue\r\n\r\n`);
    assert.equal(await client.ended, 'closed');
    assert.equal(client.received.includes('100 Continue'), false);
    assertRefused(only(await client.answers(1)), 413, 4000, 'limit of 10 bytes');
  });

  test('another expectation is refused', async () => {
    await using running = await serveEcho();
    const { answers } = await converse(running.port, `GET / HTTP/1.1\r\n${HOST}Expect: a\r\n\r\n`);
    assertRefused(only(answers), 417, 4000, '100-continue');
    assert.deepEqual(running.service.targets, []);
  });
});

describe('malformed requests', () => {
  for (const { name, bytes, outcomes } of MALFORMED_REQUESTS) {
    test(name, async () => {
      await using running = await serveEcho();
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
