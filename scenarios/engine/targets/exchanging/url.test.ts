import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { version } from '../../basics/version.ts';
import type { RawMessage, Target } from '../../messages/target.ts';
import type { Exchange } from '../../results/exchange.ts';
import { bodyOf, closedPort, httpServer, tcpServer } from '../test-servers.ts';
import { defaults } from '../url-choice.ts';
import { largestAnswer } from './answer-reader.ts';
import { urlTarget } from './url.ts';

const get = { method: 'GET', path: '/onem2m', headers: [] };
const rawGet: RawMessage = { ...get, version: '1.1', addHost: true, addContentLength: true };

function open(t: TestContext, url: string, { timeout = 5000, keepAlive = true } = {}): Target {
  const description = { kind: 'url', url, ...defaults } as const;
  const target = urlTarget({ description, connections: 2, timeout, startedAt: performance.now(), keepAlive });
  t.after(() => target.close());
  return target;
}

/** The same request through the client and through the socket. */
async function both(target: Target): Promise<Exchange[]> {
  return [await target.send(get), await target.send(rawGet)];
}

const hostile: ReadonlyArray<
  readonly [name: string, treat: (socket: Socket) => void, kinds: readonly [string, string], timeout: number]
> = [
  ['never answers', () => {}, ['timeout', 'timeout'], 150],
  ['answers half', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Le'), ['timeout', 'timeout'], 150],
  [
    'answers half a body',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    ['timeout', 'timeout'],
    150,
  ],
  ['closes at once', (socket) => socket.end(), ['closed', 'closed'], 5000],
  [
    'closes in the middle',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'),
    ['cut', 'cut'],
    5000,
  ],
  ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy()), ['reset', 'reset'], 5000],
  ['talks garbage', (socket) => socket.write('220 mail.example ESMTP\r\n'), ['malformed', 'malformed'], 5000],
  [
    'sends an endless head',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${'a'.repeat(200_000)}`),
    ['malformed', 'malformed'],
    5000,
  ],
  ['sends an endless body', endlessBody, ['malformed', 'malformed'], 10_000],
];

function endlessBody(socket: Socket): void {
  const part = Buffer.alloc(256 * 1024, 'a');
  const more = (): void => {
    while (!socket.destroyed && socket.write(part));
    if (!socket.destroyed) socket.once('drain', more);
  };
  socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
    more();
  });
}

for (const [name, treat, kinds, timeout] of hostile) {
  test(`a target that ${name} gives a failure, not an exception`, async (t) => {
    const target = open(t, await tcpServer(t, treat), { timeout });
    const exchanges = await both(target);
    assert.deepEqual(
      exchanges.map((exchange) => exchange.failure?.kind),
      kinds,
      JSON.stringify(exchanges.map((exchange) => exchange.failure)),
    );
    assert(exchanges.every((exchange) => exchange.answer === undefined && exchange.took < timeout + 2000));
  });
}

test('a closed port refuses', async (t) => {
  const exchanges = await both(open(t, await closedPort(t)));
  assert.deepEqual(
    exchanges.map((exchange) => exchange.failure?.kind),
    ['refused', 'refused'],
  );
});

test('a host that does not exist is unreachable', async (t) => {
  const exchanges = await both(open(t, 'http://no-such-host.invalid:80'));
  assert.deepEqual(
    exchanges.map((exchange) => exchange.failure?.kind),
    ['unreachable', 'unreachable'],
  );
});

test('a target that speaks no TLS fails in the handshake', async (t) => {
  const url = await httpServer(t, (_, response) => response.end());
  const exchanges = await both(open(t, url.replace('http:', 'https:')));
  assert.deepEqual(
    exchanges.map((exchange) => exchange.failure?.kind),
    ['tls', 'tls'],
  );
  assert.match(exchanges[0]?.failure?.message ?? '', /^TLS/);
});

test('answers come through the client and through the socket alike', async (t) => {
  const url = await httpServer(t, (_, response) => {
    response.writeHead(201, { 'X-M2M-RSC': '2001', 'Set-Cookie': ['a', 'b'] }).end('{"é":1}');
  });
  for (const { answer, failure } of await both(open(t, url))) {
    assert.equal(failure, undefined);
    assert.equal(answer?.status, 201);
    assert.equal(answer?.body, '{"é":1}');
    assert.deepEqual(
      answer?.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value),
      ['a', 'b'],
    );
  }
});

test('the request arrives as it was given, below the path of the URL', async (t) => {
  const seen: unknown[] = [];
  const url = await httpServer(t, async (request, response) => {
    const body = await bodyOf(request);
    seen.push([request.method, request.url, request.headers['x-m2m-origin'], body.toString(), request.headers.accept]);
    response.end();
  });
  const target = open(t, `${url}/gateway/`);
  const request = {
    method: 'POST',
    path: '/a b/é%20?x=1',
    headers: [['X-M2M-Origin', '//sp/cse/Cae']] as const,
    body: Buffer.from('{}'),
  };
  await target.send(request);
  await target.send({ ...rawGet, ...request, path: '/a%20b' });
  assert.deepEqual(seen, [
    ['POST', '/gateway/a%20b/%C3%A9%20?x=1', '//sp/cse/Cae', '{}', undefined],
    ['POST', '/gateway/a%20b', '//sp/cse/Cae', '{}', undefined],
  ]);
});

test('exact bytes are sent exactly', async (t) => {
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n\0\xff', 'latin1');
  let received = Buffer.alloc(0);
  const url = await tcpServer(t, (socket) =>
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length === bytes.length) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  const exchange = await open(t, url).send({ bytes }, { watchConnection: 1000 });
  assert(received.equals(bytes));
  assert.equal(exchange.answer?.status, 400);
  assert.equal(exchange.request.exactBytes, true);
  assert.deepEqual([exchange.request.method, exchange.request.path], ['GET', '/']);
});

test('what the target does with the connection is watched', async (t) => {
  const answer = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';
  const closing = open(t, await tcpServer(t, (socket) => socket.once('data', () => socket.end(answer))));
  const keeping = open(t, await tcpServer(t, (socket) => socket.once('data', () => socket.write(answer))));
  assert.equal((await closing.send(rawGet, { watchConnection: 2000 })).connection, 'closed');
  assert.equal((await keeping.send(rawGet, { watchConnection: 50 })).connection, 'open');
});

test('what comes after an answer is counted, at once and later', async (t) => {
  const url = await tcpServer(t, (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na\r\n');
      setImmediate(() => socket.end('later'));
    }),
  );
  const { answer, surplus } = await open(t, url).send(rawGet, { watchConnection: 2000 });
  assert.deepEqual([answer?.body, surplus], ['a', 7]);
});

test('an answer that comes before the request is sent whole still counts', async (t) => {
  const url = await tcpServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n')),
  );
  const body = Buffer.alloc(1024 * 1024);
  const exchange = await open(t, url).send({ ...rawGet, method: 'POST', body });
  assert.equal(exchange.answer?.status, 413);
});

test('a long body is kept in part', async (t) => {
  const url = await httpServer(t, (_, response) => response.end('a'.repeat(largestAnswer - 1)));
  const exchange = await open(t, url).send({ ...get, method: 'POST', body: Buffer.alloc(200_000, 'b') });
  assert.equal(exchange.answer?.body.length, largestAnswer - 1);
  assert.match(exchange.request.body ?? '', /… \(200000 bytes\)$/);
  assert(exchange.curl.length < 6000);
});

test('usual headers go with every request that does not have them, masked in the record', async (t) => {
  const seen: unknown[] = [];
  const url = await httpServer(t, ({ headers }, response) => {
    seen.push([headers.authorization, headers['x-a']]);
    response.end();
  });
  const description = { kind: 'url', url, ...defaults } as const;
  const headers = [
    ['Authorization', 'Bearer 1'],
    ['X-A', 'usual'],
  ] as const;
  const target = urlTarget({ description, connections: 1, timeout: 2000, startedAt: 0, keepAlive: true, headers });
  t.after(() => target.close());
  const exchanges = [
    await target.send(get),
    await target.send({ ...get, headers: [['x-a', 'own']] }),
    await target.send(rawGet),
  ];
  assert.deepEqual(seen, [
    ['Bearer 1', 'usual'],
    ['Bearer 1', 'own'],
    ['Bearer 1', 'usual'],
  ]);
  assert.doesNotMatch(JSON.stringify(exchanges), /Bearer/);
});

test('every request says who asks, unless it says so itself or is sent by the letter', async (t) => {
  const seen: Array<string | undefined> = [];
  const url = await httpServer(t, (request, response) => {
    seen.push(request.headers['user-agent']);
    response.end();
  });
  const target = open(t, url);
  const exchanges = await both(target);
  await target.send({ ...get, headers: [['user-agent', 'mine']] });
  await target.send({ ...rawGet, addHost: false, headers: [['Host', 'a']] });
  const ours = `cselab/${version()}`;
  assert.deepEqual(seen, [ours, ours, 'mine', undefined]);
  assert.ok(exchanges.every(({ curl, request }) => !/user-agent/i.test(curl + JSON.stringify(request))));
});
