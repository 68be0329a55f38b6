import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, test } from 'node:test';
import { decode, encode } from 'cborg';
import { ws } from 'msw';
import { setupServer } from 'msw/node';
import { WebSocket as undiciWebSocket } from 'undici';
import { type CseOptions, createCse, cseWsHandlers } from '../msw.ts';

// Node has it from version 22 on.
globalThis.WebSocket ??= undiciWebSocket as unknown as typeof WebSocket;

const server = setupServer();
before(() => server.listen({ onUnhandledRequest: 'bypass' }));
after(() => server.close());
afterEach(() => server.resetHandlers());

const url = 'ws://gateway.test:8180';

function simulated(options: CseOptions = {}) {
  const cse = createCse({ dialect: 'onem2m', ...options });
  server.use(...cseWsHandlers(cse, url));
  return cse;
}

/** The application's own connection. */
async function connected(protocol = 'oneM2M.json') {
  const socket = new WebSocket(url, protocol);
  socket.binaryType = 'arraybuffer';
  const heard: unknown[] = [];
  const [read, write] = protocol.endsWith('json') ? [JSON.parse, JSON.stringify] : [octets, encode];
  socket.addEventListener('message', ({ data }) => {
    heard.push(read(data));
    socket.dispatchEvent(new Event('heard'));
  });
  await once(socket, 'open');
  const next = async (): Promise<Record<string, unknown>> => {
    while (heard.length === 0) await once(socket, 'heard');
    return heard.shift() as Record<string, unknown>;
  };
  const send = (primitive: object) => socket.send(write(primitive) as string & Uint8Array<ArrayBuffer>);
  const ask = (primitive: object) => {
    send({ rvi: '3', fr: 'CA', ...primitive });
    return next();
  };
  return { socket, ask, send, next };
}

const octets = (data: ArrayBuffer) => decode(new Uint8Array(data));
const register = {
  op: 1,
  to: 'cse-in',
  rqi: 'r1',
  ty: 2,
  pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } },
};
const container = { op: 1, to: 'cse-in/a', rqi: 'r2', ty: 3, pc: { 'm2m:cnt': { rn: 'c' } } };
const watch = { 'm2m:sub': { rn: 's', nu: ['/id-in/CA'], enc: { net: [3] } } };
const subscription = { op: 1, to: 'cse-in/a/c', rqi: 'r3', ty: 23, pc: watch };
const instance = { op: 1, to: 'cse-in/a/c', rqi: 'r4', ty: 4, pc: { 'm2m:cin': { con: 'news' } } };

for (const protocol of ['oneM2M.json', 'oneM2M.cbor'])
  test(`an application that opens a WebSocket is answered and notified over it (${protocol})`, async () => {
    simulated();
    const { ask, send, next } = await connected(protocol);
    for (const request of [register, container, subscription]) assert.equal((await ask(request)).rsc, 2001);
    send({ rvi: '3', fr: 'CA', ...instance });
    const heard = [await next(), await next()];
    const notification = heard.find(({ op }) => op === 5);
    assert.match(JSON.stringify(notification?.pc), /"con":"news"/);
    assert.equal(notification?.to, '/id-in/CA');
    assert.equal(heard.find(({ rqi }) => rqi === 'r4')?.rsc, 2001);
  });

test('an application that is not connected any more is not notified', async () => {
  const { core } = simulated();
  const { socket, ask } = await connected();
  assert.equal((await ask(register)).rsc, 2001);
  socket.close();
  await once(socket, 'close');
  const { outgoing } = core.services;
  await assert.rejects(outgoing.send('CA', outgoing.ownRequest({ operation: 'notify', content: {} })), {
    name: 'CseError',
  });
});

test('a subprotocol that the CSE does not speak is refused', async () => {
  simulated();
  const socket = new WebSocket(url, 'oneM2M.xml');
  const [{ code, reason }] = await once(socket, 'close');
  assert.equal(code, 1006);
  assert.match(reason, /oneM2M\.json and oneM2M\.cbor/);
});

test('a message of the other opcode closes the connection', async () => {
  simulated();
  const { socket } = await connected();
  socket.send(new Blob(['{}']));
  const [{ code }] = await once(socket, 'close');
  assert.equal(code, 1003);
});

test('other WebSockets go to other handlers', async () => {
  simulated();
  const echo = ws.link('ws://echo.test');
  server.use(
    echo.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => client.send(data));
    }),
  );
  const socket = new WebSocket('ws://echo.test');
  await once(socket, 'open');
  socket.send('hello');
  const [{ data }] = await once(socket, 'message');
  assert.equal(data, 'hello');
});

test('what is no place for WebSocket is refused', () => {
  for (const wrong of ['gateway.test', 'http://gateway.test', 'ws://gateway.test/cse-in'])
    assert.throws(() => cseWsHandlers(createCse(), wrong), { name: 'TypeError', message: /write a URL such as ws:/ });
});
