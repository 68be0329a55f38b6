import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { decode, encode } from 'cborg';
import { WebSocket, WebSocketServer } from 'ws';
import { shipped } from '../../../certs/shipped.ts';
import { createCse } from '../../cse/create-cse.ts';
import { type CseNode, startNode } from '../../topology/node.ts';
import type { NodeSettings } from '../../topology/node-settings.ts';
import { WsEndpoint } from './ws-endpoint.ts';

const standard = { dialect: 'onem2m', cseId: 'id-in', base: 'cse-in' } as const;

async function node(t: TestContext, settings: Partial<NodeSettings> = {}): Promise<CseNode & { wsUrl: string }> {
  const started = await startNode({ cse: standard, ws: {}, ...settings });
  t.after(() => started.close());
  assert.ok(started.wsUrl);
  return started as CseNode & { wsUrl: string };
}

/** A client that knows nothing of us. */
async function client(t: TestContext, url: string, protocols: string | string[] = 'oneM2M.json', options = {}) {
  const socket = new WebSocket(url, protocols, options);
  t.after(() => socket.terminate());
  const heard: Array<readonly [data: Buffer, isBinary: boolean]> = [];
  socket.on('message', (data, isBinary) => {
    heard.push([data as Buffer, isBinary]);
    socket.emit('heard');
  });
  await once(socket, 'open');
  const next = async () => {
    while (heard.length === 0) await once(socket, 'heard');
    return heard.shift() as readonly [Buffer, boolean];
  };
  const read = async () => JSON.parse((await next())[0].toString('utf8'));
  const send = (value: unknown) => socket.send(value instanceof Uint8Array ? value : JSON.stringify(value));
  return { socket, next, read, send };
}

const register = {
  ...{ op: 1, to: 'cse-in', fr: 'CA', rqi: 'r1', rvi: '3', ty: 2 },
  pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } },
};
const ask = { op: 1, to: 'cse-in/a', fr: 'CA', rvi: '3' };
const container = { ...ask, rqi: 'r2', ty: 3, pc: { 'm2m:cnt': { rn: 'c' } } };
const subscription = {
  ...{ ...ask, to: 'cse-in/a/c', rqi: 'r3', ty: 23 },
  pc: { 'm2m:sub': { rn: 's', nu: ['/id-in/CA'], enc: { net: [3] } } },
};
const instance = { ...ask, to: 'cse-in/a/c', rqi: 'r4', ty: 4, pc: { 'm2m:cin': { con: 'x' } } };

/** The answer to a handshake that is written by hand. */
async function handshake(url: string, lines: readonly string[], start = 'GET / HTTP/1.1'): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = [start, `Host: ${hostname}:${port}`, 'Upgrade: WebSocket', 'Connection: Upgrade'];
  const key = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'];
  socket.write([...head, ...key, ...lines, '', ''].join('\r\n'));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return first.toString('utf8');
}

test('a request is answered over its connection, with its identifier, as text', async (t) => {
  const { wsUrl } = await node(t);
  const { send, next } = await client(t, wsUrl);
  send(register);
  const [data, isBinary] = await next();
  const { rsc, rqi, rvi, pc, to, fr } = JSON.parse(data.toString('utf8'));
  assert.deepEqual({ rsc, rqi, rvi, to, fr }, { rsc: 2001, rqi: 'r1', rvi: '3', to: 'CA', fr: '/id-in' });
  assert.equal(pc['m2m:ae'].aei, 'CA');
  assert.equal(isBinary, false);
});

test('CBOR comes and goes in binary frames', async (t) => {
  const { wsUrl } = await node(t);
  const { socket, send, next } = await client(t, wsUrl, ['oneM2M.xml', 'oneM2M.cbor', 'oneM2M.json']);
  assert.equal(socket.protocol, 'oneM2M.cbor');
  send(encode(register));
  const [data, isBinary] = await next();
  assert.equal(decode(data).rsc, 2001);
  assert.equal(isBinary, true);
});

test('what a CSE carries in two frames is one message', async (t) => {
  const row = { id: 'carried', says: 'In two frames.', does: { 'on-wire': 'in two frames' } };
  const { wsUrl } = await node(t, { cse: { ...standard, deviations: [row] } });
  const socket = new WebSocket(wsUrl, 'oneM2M.json');
  t.after(() => socket.terminate());
  const frames: Buffer[] = [];
  socket.once('upgrade', ({ socket: raw }) => raw.on('data', (data: Buffer) => frames.push(data)));
  await once(socket, 'open');
  socket.send(JSON.stringify(register));
  const [message] = (await once(socket, 'message')) as [Buffer];
  assert.equal(JSON.parse(message.toString('utf8')).rsc, 2001);
  // Without FIN, of the opcode of a text (RFC 6455, 5.2).
  assert.equal(frames[0]?.[0], 0x01);
});

test('a message of the other opcode closes the connection', async (t) => {
  const { wsUrl } = await node(t);
  const { socket } = await client(t, wsUrl);
  socket.send(Buffer.from(JSON.stringify(register)));
  const [code] = await once(socket, 'close');
  assert.equal(code, 1003);
});

test('a message over the limit closes the connection', async (t) => {
  const { wsUrl } = await node(t, { http: { limits: { bodyBytes: 100 } } });
  const { socket, send } = await client(t, wsUrl);
  send(register);
  const [code] = await once(socket, 'close');
  assert.equal(code, 1009);
});

test('what is no primitive is refused, and the connection goes on', async (t) => {
  const { wsUrl } = await node(t);
  const { socket, send, read } = await client(t, wsUrl);
  for (const text of ['{"op": 1', '{"op":2,"to":"cse-in/\\ud800","fr":"CA","rqi":"1","rvi":"3"}']) {
    socket.send(text);
    assert.equal((await read()).rsc, 4000);
  }
  send(register);
  assert.equal((await read()).rsc, 2001);
});

test('a server selects the subprotocol, and proves that it speaks WebSocket', async (t) => {
  const { wsUrl } = await node(t);
  const answer = await handshake(wsUrl, ['Sec-WebSocket-Protocol: oneM2M.xml', 'Sec-WebSocket-Protocol: oneM2M.json']);
  assert.match(answer, /^HTTP\/1\.1 101 /);
  assert.match(answer, /^Upgrade: websocket\r$/im);
  assert.match(answer, /^Connection: Upgrade\r$/im);
  assert.match(answer, /^Sec-WebSocket-Protocol: oneM2M\.json\r$/m);
  assert.match(answer, /^Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r$/m);
});

for (const [what, lines, status, start] of [
  ['no subprotocol', [], 400],
  ['another subprotocol', ['Sec-WebSocket-Protocol: oneM2M.xml, mqtt'], 400],
  ['another target', ['Sec-WebSocket-Protocol: oneM2M.json'], 404, 'GET /cse-in HTTP/1.1'],
  ['a page of elsewhere', ['Sec-WebSocket-Protocol: oneM2M.json', 'Origin: http://evil.example'], 403],
] as const)
  test(`a handshake with ${what} is refused`, async (t) => {
    const { wsUrl } = await node(t);
    assert.match(await handshake(wsUrl, lines, start), new RegExp(`^HTTP/1\\.1 ${status} `));
  });

test('a server that is offered compression says nothing of it', async (t) => {
  const { wsUrl } = await node(t);
  const offer = ['Sec-WebSocket-Protocol: oneM2M.json', 'Sec-WebSocket-Extensions: permessage-deflate'];
  const answer = await handshake(wsUrl, offer);
  assert.match(answer, /^HTTP\/1\.1 101 /);
  assert.doesNotMatch(answer, /Sec-WebSocket-Extensions/i);
});

test('a page whose origin is permitted connects', async (t) => {
  const { wsUrl } = await node(t, { cse: { ...standard, cors: ['http://here.example'] } });
  const { read, send } = await client(t, wsUrl, 'oneM2M.json', { origin: 'http://here.example' });
  send(register);
  assert.equal((await read()).rsc, 2001);
});

test('an HTTP request is answered with 426', async (t) => {
  const { wsUrl } = await node(t);
  const answer = await fetch(wsUrl.replace('ws:', 'http:'));
  assert.equal(answer.status, 426);
  assert.equal(answer.headers.get('upgrade'), 'websocket');
});

test('an AE without a point of access is notified over its connection, and over the next one when that is lost', async (t) => {
  const { wsUrl } = await node(t);
  const first = await client(t, wsUrl);
  for (const request of [register, container, subscription]) {
    first.send(request);
    assert.equal((await first.read()).rsc, 2001);
  }
  first.send(instance);
  const came = [await first.read(), await first.read()];
  const notification = came.find(({ op }) => op === 5);
  assert.equal(notification?.to, '/id-in/CA');
  assert.equal(notification.pc['m2m:sgn'].nev.rep['m2m:cin'].con, 'x');
  first.send({ rsc: 2000, rqi: notification.rqi, rvi: '3' });
  const { socket } = first;
  socket.close();
  await once(socket, 'close');
  const second = await client(t, wsUrl);
  second.send({ ...instance, rqi: 'r5' });
  const later = [await second.read(), await second.read()];
  assert.ok(later.some(({ op }) => op === 5));
});

test('an AE that says it cannot be reached gets nothing over its connection', async (t) => {
  const { wsUrl, cse } = await node(t);
  const { read, send } = await client(t, wsUrl);
  send({ ...register, pc: { 'm2m:ae': { ...register.pc['m2m:ae'], rr: false } } });
  assert.equal((await read()).rsc, 2001);
  const { outgoing } = cse.core.services;
  await assert.rejects(outgoing.send('CA', outgoing.ownRequest({ operation: 'notify', content: {} })), {
    name: 'CseError',
    message: /neither a point of access/,
  });
});

test('an entity that was not served is not notified', async (t) => {
  const { wsUrl, cse } = await node(t);
  const owner = await client(t, wsUrl);
  owner.send(register);
  await owner.read();
  owner.socket.close();
  await once(owner.socket, 'close');
  const stranger = await client(t, wsUrl);
  stranger.send({ op: 2, to: 'cse-in/nothing', fr: 'CA', rqi: 'r9', rvi: '3' });
  assert.equal((await stranger.read()).rsc, 4004);
  const { outgoing } = cse.core.services;
  await assert.rejects(outgoing.send('CA', outgoing.ownRequest({ operation: 'notify', content: {} })), {
    name: 'CseError',
  });
});

test('a point of access that begins with ws: is connected to, once', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const notified: string[] = [];
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    socket.on('message', (data) => {
      const { rqi, op, to } = JSON.parse(String(data));
      notified.push(`${op} ${to}`);
      socket.send(JSON.stringify({ rsc: 2000, rqi, rvi: '3' }));
    });
  });
  const { wsUrl, cse } = await node(t);
  const { socket, read, send } = await client(t, wsUrl);
  send({ ...register, pc: { 'm2m:ae': { ...register.pc['m2m:ae'], poa: [`ws://127.0.0.1:${port}`] } } });
  await read();
  socket.close();
  await once(socket, 'close');
  const { outgoing } = cse.core.services;
  for (const target of ['CA', `ws://127.0.0.1:${port}/inbox`, 'CA']) {
    const answer = await outgoing.send(target, outgoing.ownRequest({ operation: 'notify', content: {} }));
    assert.equal(answer.status.code, 2000);
  }
  assert.deepEqual(notified, ['5 /id-in/CA', '5 inbox', '5 /id-in/CA']);
  assert.equal(connections, 2);
});

test('what is denied is not connected to', async (t) => {
  const { cse } = await node(t, { cse: { ...standard, notifyDeny: ['private'] } });
  const { outgoing } = cse.core.services;
  for (const target of ['ws://127.0.0.1:9', 'ws://localhost:9', 'ws://connection.invalid'])
    await assert.rejects(outgoing.send(target, outgoing.ownRequest({ operation: 'notify', content: {} })), {
      name: 'CseError',
    });
});

test('a peer that answers no ping is cut off', async (t) => {
  const endpoint = await WsEndpoint.listen({ cse: () => assert.fail('nothing is asked'), pingMilliseconds: 20 });
  t.after(() => endpoint.close());
  const { socket } = await client(t, endpoint.url, 'oneM2M.json', { autoPong: false });
  await once(socket, 'close');
});

test('a CSE that ends answers before it closes a connection', async (t) => {
  await using cse = createCse(standard);
  const ok = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };
  const moments = new EventEmitter();
  const asked = once(moments, 'asked');
  const released = once(moments, 'released');
  const http = {
    async handle() {
      moments.emit('asked');
      await released;
      return ok;
    },
    refuse: () => ok,
  };
  const endpoint = await WsEndpoint.listen({ cse: () => ({ http, core: cse.core }) });
  const { socket, send, read } = await client(t, endpoint.url);
  const gone = once(socket, 'close');
  send(register);
  await asked;
  const ended = endpoint.close();
  moments.emit('released');
  assert.equal((await read()).rsc, 2000);
  assert.equal((await gone)[0], 1001);
  await ended;
});

test('over TLS a client shows its certificate, and may be nobody else', async (t) => {
  const gateway = shipped.certificate('mn-cse-1-client-server');
  const tls = { key: gateway.key, crt: gateway.cert, ca: shipped.chain };
  const { wsUrl, cse } = await node(t, { http: { enableHttps: true, requireCert: true }, tls });
  assert.match(wsUrl, /^wss:/);
  assert.ok((cse.core.tree.base.values.poa as string[]).includes(wsUrl));
  const [own, key, ca] = [gateway.cert, gateway.key, shipped.chain].map((file) => readFileSync(file, 'utf8'));
  const { read, send } = await client(t, wsUrl, 'oneM2M.json', { cert: own, key, ca });
  send(register);
  assert.equal((await read()).rsc, 4106);
  const bare = await client(t, wsUrl, 'oneM2M.json', { ca });
  bare.send(register);
  assert.equal((await bare.read()).rsc, 4107);
});

test('a CSE that ends closes its connections by a handshake', async (t) => {
  const started = await node(t);
  const { socket } = await client(t, started.wsUrl);
  const gone = once(socket, 'close');
  await started.close();
  assert.equal((await gone)[0], 1001);
});
