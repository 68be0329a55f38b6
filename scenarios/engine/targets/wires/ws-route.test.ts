import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { RequestMessage } from '../../messages/target.ts';
import { limitsOf } from '../exchanging/load-limits.ts';
import { closedPort, tcpServer } from '../test-servers.ts';
import { routedTarget } from './routed-target.ts';
import { WsRoute } from './ws-route.ts';

const description = { kind: 'url', base: 'cse-in', cseId: 'id-in', spId: 'sp' } as const;

function open(t: TestContext, url: string, timeout = 300) {
  const route = new WsRoute({ url, trust: {} });
  t.after(() => route.close());
  const target = routedTarget({ description: { ...description, url }, route, timeout, startedAt: 0 });
  return { route, target };
}

const asked = (identifier: string, from = 'CA'): RequestMessage => ({
  method: 'GET',
  path: '/cse-in',
  headers: [
    ['X-M2M-Origin', from],
    ['X-M2M-RI', identifier],
  ],
});

/** A server of the protocol that treats each message as told. */
async function server(t: TestContext, treat: (socket: WebSocket, rqi: string, primitive: { fr?: string }) => void) {
  const made = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'oneM2M.json' });
  t.after(() => {
    for (const socket of made.clients) socket.terminate();
    made.close();
  });
  made.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const primitive = JSON.parse(String(data));
      treat(socket, primitive.rqi, primitive);
    });
  });
  await once(made, 'listening');
  return { made, url: `ws://127.0.0.1:${(made.address() as AddressInfo).port}` };
}

const answer = (socket: WebSocket, rqi: string, rsc = 2000) => socket.send(JSON.stringify({ rsc, rqi, rvi: '3' }));
const codeIn = ({ answer: got }: { answer?: { headers: ReadonlyArray<readonly [string, string]> } }) =>
  got?.headers.find(([name]) => name === 'x-m2m-rsc')?.[1];

test('answers are known by their identifiers, in whatever order they come', async (t) => {
  const waiting: Array<readonly [WebSocket, string]> = [];
  const { url } = await server(t, (socket, rqi) => {
    waiting.push([socket, rqi]);
    if (waiting.length === 2)
      for (const [one, name] of waiting.reverse()) answer(one, name, name === 'a' ? 2000 : 4004);
  });
  const { target } = open(t, url, 5_000);
  const [first, second] = await Promise.all([target.send(asked('a')), target.send(asked('b'))]);
  assert.deepEqual([codeIn(first), codeIn(second)], ['2000', '4004']);
});

test('each originator has a connection of its own, which says who it is and is used again', async (t) => {
  const seen: string[] = [];
  const { made, url } = await server(t, (socket, rqi) => answer(socket, rqi));
  made.on('connection', (_socket, request) => void seen.push(String(request.headers['x-m2m-origin'])));
  const { target } = open(t, url, 5_000);
  for (const from of ['CA', 'CB', 'CA', '']) await target.send(asked(`of ${from}`, from));
  assert.deepEqual(seen, ['CA', 'CB', 'undefined']);
});

test('connections that nobody needs are closed', async (t) => {
  const { made, url } = await server(t, (socket, rqi) => answer(socket, rqi));
  const { target } = open(t, url, 5_000);
  await target.send(asked('first', 'CFirst'));
  const [first] = made.clients;
  assert.ok(first);
  const closed = once(first, 'close');
  for (let number = 0; number < 64; number++) await target.send(asked('r', `C${number}`));
  await closed;
  assert.equal(codeIn(await target.send(asked('again', 'CFirst'))), '2000');
});

test('a connection stays open as long as an answer is due', async (t) => {
  let answerFirst = () => {};
  const { url } = await server(t, (socket, rqi) => {
    if (rqi === 'first') answerFirst = () => answer(socket, rqi);
    else answer(socket, rqi);
  });
  const { target } = open(t, url, 10_000);
  const first = target.send(asked('first', 'CFirst'));
  for (let number = 0; number < 65; number++) await target.send(asked('r', `C${number}`));
  answerFirst();
  assert.equal(codeIn(await first), '2000');
});

test('no more is asked at the same time than the target was promised', async (t) => {
  let [waiting, most] = [0, 0];
  const { url } = await server(t, (socket, rqi) => {
    waiting++;
    most = Math.max(most, waiting);
    setImmediate(() => {
      waiting--;
      answer(socket, rqi);
    });
  });
  const route = new WsRoute({ url, trust: {} });
  t.after(() => route.close());
  const polite = limitsOf({ connections: 1 });
  const target = routedTarget({ description: { ...description, url }, route, timeout: 5_000, startedAt: 0, ...polite });
  await Promise.all(['a', 'b', 'c'].map((identifier) => target.send(asked(identifier))));
  assert.equal(most, 1);
});

test('a request that is sent alone, as after a death of the target, is sent as any other', async (t) => {
  const { url } = await server(t, (socket, rqi) => answer(socket, rqi));
  const { target } = open(t, url, 5_000);
  assert.equal(await target.objection(asked('r'), { alone: true }), undefined);
  assert.equal(codeIn(await target.send(asked('r'), { alone: true })), '2000');
});

test('what a target asks over the connection of an originator is for its point of access, and is answered', async (t) => {
  const replies: unknown[] = [];
  const { made, url } = await server(t, (socket, rqi) => {
    if (rqi === 'n') return;
    answer(socket, rqi, 2001);
    const pc = { 'm2m:sgn': { vrq: true } };
    socket.send(JSON.stringify({ op: 5, to: '/id-in/CA', fr: '/id-in', rqi: 'n', rvi: '3', pc }));
  });
  made.on('connection', (socket) => socket.on('message', (data) => void replies.push(JSON.parse(String(data)))));
  const { route, target } = open(t, url, 5_000);
  const origin = await route.origin('127.0.0.1');
  await route.listen('scn/inbox');
  const heard = new Promise<string>((resolve) => {
    route.onNotification = ({ target: path, body }) => {
      resolve(`${path} ${body}`);
      return { headers: { 'X-M2M-RSC': '2000' } };
    };
  });
  const body = Buffer.from(JSON.stringify({ 'm2m:ae': { api: 'Na', poa: [`${origin}/scn/inbox`] } }));
  const { headers } = asked('r');
  await target.send({
    method: 'POST',
    path: '/cse-in',
    headers: [...headers, ['Content-Type', 'application/json;ty=2']],
    body,
  });
  assert.equal(await heard, '/scn/inbox {"m2m:sgn":{"vrq":true}}');
  const [socket] = made.clients;
  while (replies.length < 2) await once(socket as WebSocket, 'message');
  assert.deepEqual(replies[1], { rsc: 2000, rqi: 'n', rvi: '3' });
});

test('a target may connect to the inbox that a URL names, and to no other', async (t) => {
  const { route } = open(t, 'ws://127.0.0.1:9');
  const origin = await route.origin('127.0.0.1');
  await route.listen('scn/inbox');
  route.onNotification = ({ target }) => ({ headers: { 'X-M2M-RSC': target === '/scn/inbox' ? '2000' : '4004' } });
  const socket = new WebSocket(`${origin}/scn/inbox`, 'oneM2M.json');
  await once(socket, 'open');
  socket.send(JSON.stringify({ 'm2m:rqp': { op: 5, to: 'x', rqi: 'n', pc: {} } }));
  const [reply] = await once(socket, 'message');
  assert.equal(JSON.parse(String(reply)).rsc, 2000);
  const other = new WebSocket(`${origin}/scn/other`, 'oneM2M.json');
  const [error] = await once(other, 'error');
  assert.match(String(error), /401/);
});

test('one connection to an inbox serves for another one of the same node', async (t) => {
  const { route } = open(t, 'ws://127.0.0.1:9');
  const origin = await route.origin('127.0.0.1');
  for (const path of ['scn/first', 'scn/second']) await route.listen(path);
  const heard: string[] = [];
  route.onNotification = ({ target }) => {
    heard.push(target);
    return { headers: { 'X-M2M-RSC': '2000' } };
  };
  const socket = new WebSocket(`${origin}/scn/first`, 'oneM2M.json');
  await once(socket, 'open');
  for (const to of ['scn/second', 'scn/first', '/cse-in']) {
    socket.send(JSON.stringify({ op: 5, to, rqi: 'n', pc: {} }));
    await once(socket, 'message');
  }
  assert.deepEqual(heard, ['/scn/second', '/scn/first', '/scn/first']);
});

// Whatever is at the other end, a request comes to an end.

const reachedNothing: ReadonlyArray<readonly [what: string, treat: Parameters<typeof server>[1], kind: string]> = [
  ['says nothing', () => {}, 'timeout'],
  ['closes', (socket) => socket.close(1011), 'closed'],
  ['cuts the connection', (socket) => socket.terminate(), 'closed'],
  ['sends garbage', (socket) => socket.send('<html>{'), 'malformed'],
  [
    'floods',
    (socket) => {
      for (let number = 0; number < 10_001; number++) socket.send('{}');
    },
    'malformed',
  ],
];

for (const [what, treat, kind] of reachedNothing)
  test(`a server that ${what} ends no run in a hang`, async (t) => {
    const { url } = await server(t, treat);
    const { target } = open(t, url, kind === 'timeout' ? 300 : 10_000);
    const { failure } = await target.send(asked('r'));
    assert.equal(failure?.kind, kind, failure?.message);
  });

test('an answer in fragments counts, one that comes twice counts once', async (t) => {
  const { url } = await server(t, (socket, rqi) => {
    const text = JSON.stringify({ rsc: 2000, rqi, rvi: '3' });
    socket.send(text.slice(0, 9), { fin: false });
    socket.send(text.slice(9));
    answer(socket, rqi, 4004);
  });
  const { target } = open(t, url, 5_000);
  for (const identifier of ['a', 'b']) assert.equal(codeIn(await target.send(asked(identifier))), '2000');
});

test('what is no WebSocket server is said to be none', async (t) => {
  const closed = open(t, (await closedPort(t)).replace('http', 'ws'));
  assert.equal((await closed.target.send(asked('r'))).failure?.kind, 'refused');
  const html = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
  const web = open(t, (await tcpServer(t, (socket) => void socket.end(html))).replace('http', 'ws'), 5_000);
  const { failure } = await web.target.send(asked('r'));
  assert.deepEqual(
    [failure?.kind, /the WebSocket connection failed/.test(failure?.message ?? '')],
    ['malformed', true],
  );
  const silent = open(t, (await tcpServer(t, () => {})).replace('http', 'ws'));
  assert.equal((await silent.target.send(asked('r'))).failure?.kind, 'timeout');
});

test('frames that break the protocol end what was asked over their connection', async (t) => {
  const { made, url } = await server(t, () => {});
  made.on('connection', (_socket, { socket }) => socket.write(Buffer.from([0xff, 0xff, 0, 0])));
  const { target } = open(t, url, 5_000);
  const { failure } = await target.send(asked('r'));
  assert.ok(failure?.kind === 'malformed' || failure?.kind === 'closed', failure?.message);
});

test('a run ends though nobody answers the closing handshake', async (t) => {
  const url = await tcpServer(t, (socket) => {
    const accepted = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
    socket.once('data', (head: Buffer) => {
      const key = /Sec-WebSocket-Key: (\S+)/.exec(String(head))?.[1];
      const proof = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(`${accepted}Sec-WebSocket-Accept: ${proof}\r\nSec-WebSocket-Protocol: oneM2M.json\r\n\r\n`);
    });
  });
  const { route, target } = open(t, url.replace('http', 'ws'));
  assert.equal((await target.send(asked('r'))).failure?.kind, 'timeout');
  await route.close();
});

test('in CBOR the line writes the octets', () => {
  const route = new WsRoute({ url: 'ws://127.0.0.1:9', trust: {}, serialization: 'cbor' });
  const headers = [['X-M2M-Origin', 'CA']] as const;
  const line = route.line({ ...description, url: 'ws://127.0.0.1:9' }, { method: 'GET', path: '/cse-in', headers });
  assert.equal(
    line,
    String.raw`printf '\243bop\002btofcse-inbfrbCA' | websocat -n1 -b --protocol oneM2M.cbor -H 'X-M2M-Origin: CA' ws://127.0.0.1:9`,
  );
});

test('a line for sh sends the same primitive', (t) => {
  const { route } = open(t, 'ws://127.0.0.1:9');
  const line = route.line({ ...description, url: 'ws://127.0.0.1:9' }, asked('r'));
  assert.equal(
    line,
    `printf %s '{"op":2,"to":"cse-in","fr":"CA","rqi":"r"}' | websocat -n1 --protocol oneM2M.json -H 'X-M2M-Origin: CA' ws://127.0.0.1:9`,
  );
});
