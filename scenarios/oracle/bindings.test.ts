/** What a CSE does wrong with the binding alone is seen on the exchange, or on the one that ends after it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Aedes } from 'aedes';
import { connectAsync, type MqttClient } from 'mqtt';
import { type WebSocket, WebSocketServer } from 'ws';
import { check } from '../checking/check.ts';
import type { Serialization } from '../engine/grammar/dialects.ts';
import { serialize } from '../engine/messages/serialization.ts';
import type { RequestMessage } from '../engine/messages/target.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { MqttRoute } from '../engine/targets/wires/mqtt-route.ts';
import type { Route } from '../engine/targets/wires/route.ts';
import { routedTarget } from '../engine/targets/wires/routed-target.ts';
import { readWhole } from '../engine/targets/wires/whole-message.ts';
import { WsRoute } from '../engine/targets/wires/ws-route.ts';
import { Judge } from './judge.ts';
import { rulesOf } from './rules.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp' };

/** What is violated while the same is read again and again, until something is. */
async function violated(t: TestContext, route: Route, times = 1, request = asked): Promise<string[]> {
  t.after(() => route.close());
  const description = { kind: 'url', url: 'mqtt://127.0.0.1', ...names } as const;
  const target = routedTarget({ description, route, timeout: 10_000, startedAt: 0 });
  const judge = ofBindings();
  for (let turn = 1; ; turn += 1) {
    const exchange = await target.send(request(`cl-${turn}-r`));
    const found = judge.judge(exchange).map(({ requirement }) => requirement);
    if (found.length > 0 || turn === times) return found;
  }
}

function ofBindings(): Judge {
  const rules = rulesOf('onem2m').filter(({ requirement }) => /^std\.(mqtt|ws)\./.test(requirement));
  return new Judge({ rules, dialect: 'onem2m', names, levelOf: () => 'standard' });
}

const asked = (identifier: string): RequestMessage => ({
  method: 'GET',
  path: '/cse-in',
  headers: [
    ['X-M2M-Origin', 'CA'],
    ['X-M2M-RI', identifier],
  ],
});

const askedInCbor = (identifier: string): RequestMessage => {
  const { headers, ...request } = asked(identifier);
  return { ...request, headers: [...headers, ['Accept', 'application/cbor']] };
};

/** A CSE of one line at a server of its own. */
async function mqttCse(
  t: TestContext,
  answer: (client: MqttClient, rqi: string, topic: string) => unknown,
  serialization: Serialization = 'json',
): Promise<MqttRoute> {
  const broker = await Aedes.createBroker();
  const server = createServer(broker.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = await connectAsync(url);
  t.after(async () => {
    await client.endAsync(true);
    broker.close();
    server.close();
  });
  client.on('message', (topic, payload) => void answer(client, String(readWhole(payload).request.rqi), topic));
  const topics = ['req', 'reg_req'].map((kind) => `/oneM2M/${kind}/+/id-in/${serialization}`);
  await client.subscribeAsync(topics, { qos: 1 });
  return new MqttRoute({ url, trust: {}, serialization });
}

const own = '/oneM2M/resp/id-in:CA/id-in/json';
const good = (rqi: string) => ({ rqi, rsc: 2000, rvi: '3' });
const say =
  (topic: string, primitive: unknown, retain = false) =>
  (client: MqttClient) =>
    client.publish(topic, isWritten(primitive) ? primitive : JSON.stringify(primitive), { qos: 1, retain });

const isWritten = (primitive: unknown) => typeof primitive === 'string' || Buffer.isBuffer(primitive);

const overMqtt: ReadonlyArray<
  readonly [what: string, violates: string | undefined, answer: Parameters<typeof mqttCse>[1]]
> = [
  ['nothing wrong', undefined, (client, rqi) => say(own, good(rqi))(client)],
  ['another receiver', 'topic', (client, rqi) => say('/oneM2M/resp/id-in:CA/other/json', good(rqi))(client)],
  [
    'an identifier that is not escaped',
    'topic',
    (client, rqi) => say('/oneM2M/resp//id-in/CA/id-in/json', good(rqi))(client),
  ],
  ['no slash before it', 'topic', (client, rqi) => say(own.slice(1), good(rqi))(client)],
  ['the topic of a request', 'topic', (client, rqi) => say('/oneM2M/req/id-in/id-in:CA/json', good(rqi))(client)],
  ['no format', 'format', (client, rqi) => say(own.replace('/json', ''), good(rqi))(client)],
  ['another identifier', 'rqi', (client) => say(own, good('other'))(client)],
  ['no identifier', 'rqi', (client) => say(own, { rsc: 2000 })(client)],
  ['no code', 'rsc', (client, rqi) => say(own, { rqi })(client)],
  ['a code that is a text', 'number', (client, rqi) => say(own, { rqi, rsc: '2000' })(client)],
  ['a root', 'root', (client, rqi) => say(own, { 'm2m:rsp': good(rqi) })(client)],
  ['no JSON', 'payload', (client) => say(own, '<rsp/>')(client)],
  ['an answer that is kept', 'retained', (client, rqi) => say(own, good(rqi), true)(client)],
  [
    'another answer after it',
    'once',
    (client, rqi) => [good(rqi), { rqi, rsc: 4000 }].map((one) => say(own, one)(client)),
  ],
  ['the same answer again, as QoS 1 may', undefined, (client, rqi) => [1, 2].map(() => say(own, good(rqi))(client))],
];

for (const [what, violates, answer] of overMqtt)
  test(`over MQTT: ${what}`, async (t) => {
    const found = await violated(t, await mqttCse(t, answer), violates === undefined ? 20 : 10_000);
    assert.deepEqual(found, violates === undefined ? [] : [`std.mqtt.response.${violates}`]);
  });

const ownCbor = own.replace('json', 'cbor');
const inCbor = (rqi: string) => serialize(good(rqi), 'cbor');
const overMqttInCbor: typeof overMqtt = [
  ['nothing wrong', undefined, (client, rqi) => say(ownCbor, inCbor(rqi))(client)],
  ['JSON, which says so', undefined, (client, rqi) => say(own, good(rqi))(client)],
  ['JSON at the topic of CBOR', 'payload', (client, rqi) => say(ownCbor, good(rqi))(client)],
  ['CBOR at the topic of JSON', 'payload', (client, rqi) => say(own, inCbor(rqi))(client)],
  ['CBOR that is cut', 'payload', (client, rqi) => say(ownCbor, inCbor(rqi).subarray(0, -1))(client)],
  ['a root', 'root', (client, rqi) => say(ownCbor, serialize({ 'm2m:rsp': good(rqi) }, 'cbor'))(client)],
  ['another identifier', 'rqi', (client) => say(ownCbor, inCbor('other'))(client)],
];

for (const [what, violates, answer] of overMqttInCbor)
  test(`over MQTT in CBOR: ${what}`, async (t) => {
    const found = await violated(t, await mqttCse(t, answer, 'cbor'), 3, askedInCbor);
    assert.deepEqual(found, violates === undefined ? [] : [`std.mqtt.response.${violates}`]);
  });

test('a violation states whether it was found in other messages than the response', () => {
  const facts = { topic: own.replace('/json', '/text'), payload: 'JSON', rqi: 'r1', rsc: 2000, again: ['r0'] };
  const exchange: Exchange = {
    request: { method: 'GET', path: '/cse-in', headers: [['X-M2M-RI', 'r1']] },
    answer: { status: 200, headers: [['X-M2M-RSC', '2000']], body: '' },
    wire: { binding: 'MQTT', asked: { topic: own.replace('/json', ''), rqi: 'r1', cse: 'id-in' }, ...facts },
    ...{ at: 0, took: 1, curl: '' },
  };
  const found = ofBindings().judge(exchange);
  assert.deepEqual(
    found.map(({ requirement, beside }) => [requirement, beside]),
    [
      ['std.mqtt.response.format', undefined],
      ['std.mqtt.response.once', true],
    ],
  );
});

for (const originator of [undefined, '', 'C', 'S', 'Cmine'])
  test(`over MQTT: the originator ${JSON.stringify(originator) ?? 'that is not named'} registers by topics of ${originator === 'Cmine' ? 'an AE-ID' : 'a Credential-ID'}`, async (t) => {
    const topics: string[] = [];
    const route = await mqttCse(t, (client, rqi, topic) => {
      topics.push(topic);
      return say(topic.replace('req/', 'resp/'), good(rqi))(client);
    });
    const registration = (identifier: string): RequestMessage => ({
      method: 'POST',
      path: '/cse-in',
      headers: [
        ...(originator === undefined ? [] : [['X-M2M-Origin', originator] as const]),
        ['X-M2M-RI', identifier],
        ['Content-Type', 'application/json;ty=2'],
      ],
      body: Buffer.from('{"m2m:ae":{"rn":"a"}}'),
    });
    assert.deepEqual(await violated(t, route, 1, registration), []);
    const expected = originator === 'Cmine' ? /^\/oneM2M\/req\/id-in:Cmine\// : /^\/oneM2M\/reg_req\/cselab-[^/:]+\//;
    assert.match(topics[0] ?? '', expected);
  });

const nu = 'cl-1/watcher';
const sgn = { 'm2m:sgn': { sur: 'a' } };

for (const [what, topic, primitive, violates] of [
  ['the topic of a receiver', `/oneM2M/req/id-in/${nu}/json`, { op: 5, to: nu, fr: '/id-in', rqi: 'n', pc: sgn }, []],
  ['it with a query', `/oneM2M/req/id-in/${nu}?ct=json/json`, { op: 5, to: nu, fr: '/id-in', rqi: 'n', pc: sgn }, []],
  ['that, without a primitive', `/oneM2M/req/id-in/${nu}`, sgn, ['to', 'fr', 'rqi', 'op']],
] as const)
  test(`over MQTT: a notification for nu comes to ${what}; it is received nevertheless, and reported`, async (t) => {
    const answered: string[] = [];
    const route = await mqttCse(t, (client, rqi) => {
      if (rqi === 'n') return answered.push(rqi);
      client.subscribe('/oneM2M/resp/id-in/cl-1/#', { qos: 1 });
      say(topic, primitive)(client);
      return say(own, good(rqi))(client);
    });
    const heard: unknown[] = [];
    route.onNotification = ({ target, body }) => {
      heard.push([target, body]);
      return { headers: { 'X-M2M-RSC': '2000' } };
    };
    await route.listen(nu);
    const found = await violated(t, route, 100);
    const all = ['topic', ...violates].map((one) => `std.mqtt.request.${one}`);
    assert.deepEqual(found, all);
    assert.deepEqual(heard[0], [`/${nu}${topic.includes('?') ? '?ct=json' : ''}`, JSON.stringify(sgn)]);
    // What has no identifier cannot be answered.
    if (violates.length === 0) while (answered.length === 0) await violated(t, route);
    assert.ok(violates.length === 0 || answered.length === 0);
  });

test('over MQTT: a response of the harness to a forwarded request with the same identifier is no response to the original', async (t) => {
  const route = await mqttCse(t, async (client, rqi, topic) => {
    if (topic.includes('/resp/')) return say(own, good(rqi))(client);
    await client.subscribeAsync(`${nu}/oneM2M/resp/#`, { qos: 1 });
    return say(`${nu}/oneM2M/req/id-in/id-in:CA/json`, { op: 5, to: 'CA', fr: '/id-in', rqi, pc: sgn })(client);
  });
  route.onNotification = () => ({ headers: { 'X-M2M-RSC': '2000' } });
  await route.listen(nu);
  assert.deepEqual(await violated(t, route, 20), []);
});

async function wsCse(
  t: TestContext,
  answer: (socket: WebSocket, rqi: string) => unknown,
  subprotocol: string | false,
  serialization: Serialization = 'json',
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => subprotocol });
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  server.on('connection', (socket) =>
    socket.on('message', (data) => void answer(socket, String(readWhole(data as Buffer).request.rqi))),
  );
  await once(server, 'listening');
  return new WsRoute({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, trust: {}, serialization });
}

type WsAnswer = (socket: WebSocket, rqi: string) => unknown;

const send = (socket: WebSocket, primitive: unknown, binary = false) =>
  socket.send(typeof primitive === 'string' ? primitive : JSON.stringify(primitive), { binary });

const overWs: ReadonlyArray<
  readonly [what: string, violates: string | undefined, answer: WsAnswer, subprotocol?: string | false]
> = [
  ['nothing wrong', undefined, (socket, rqi) => send(socket, good(rqi))],
  ['binary frames', 'response.frame', (socket, rqi) => send(socket, good(rqi), true)],
  ['another subprotocol', 'subprotocol', (socket, rqi) => send(socket, good(rqi)), 'oneM2M.cbor'],
  ['no subprotocol', 'subprotocol', (socket, rqi) => send(socket, good(rqi)), false],
  ['another identifier', 'response.rqi', (socket) => send(socket, good('other'))],
  ['no code', 'response.rsc', (socket, rqi) => send(socket, { rqi })],
  ['a code that is a text', 'response.number', (socket, rqi) => send(socket, { rqi, rsc: '2000' })],
  ['a root', 'response.root', (socket, rqi) => send(socket, { 'm2m:rsp': good(rqi) })],
  [
    'two primitives in a message',
    'response.payload',
    (socket, rqi) => send(socket, JSON.stringify(good(rqi)).repeat(2)),
  ],
  ['an answer twice', 'response.once', (socket, rqi) => [1, 2].map(() => send(socket, good(rqi)))],
  [
    'a request without an operation',
    'request.op',
    (socket, rqi) => {
      send(socket, { to: 'x', fr: '/id-in', rqi: 'n', pc: { 'm2m:sgn': {} } });
      send(socket, good(rqi));
    },
  ],
];

for (const [what, violates, answer, subprotocol = 'oneM2M.json'] of overWs)
  test(`over WebSocket: ${what}`, async (t) => {
    const found = await violated(t, await wsCse(t, answer, subprotocol), 3);
    assert.deepEqual(found, violates === undefined ? [] : [`std.ws.${violates}`]);
  });

const sendCbor = (socket: WebSocket, primitive: unknown) => socket.send(serialize(primitive, 'cbor'));
const overWsInCbor: typeof overWs = [
  ['nothing wrong', undefined, (socket, rqi) => sendCbor(socket, good(rqi))],
  ['JSON in text frames', 'response.frame', (socket, rqi) => send(socket, good(rqi))],
  ['JSON in binary frames', 'response.payload', (socket, rqi) => send(socket, good(rqi), true)],
  ['CBOR that is cut', 'response.payload', (socket, rqi) => socket.send(inCbor(rqi).subarray(0, -1))],
  ['the subprotocol of JSON', 'subprotocol', (socket, rqi) => sendCbor(socket, good(rqi)), 'oneM2M.json'],
  [
    'a request in JSON',
    'request.payload',
    (socket, rqi) => {
      send(socket, { op: 5, to: 'x', fr: '/id-in', rqi: 'n', pc: { 'm2m:sgn': {} } }, true);
      sendCbor(socket, good(rqi));
    },
  ],
  [
    'a request in CBOR',
    undefined,
    (socket, rqi) => {
      sendCbor(socket, { op: 5, to: 'x', fr: '/id-in', rqi: 'n', pc: { 'm2m:sgn': {} } });
      sendCbor(socket, good(rqi));
    },
  ],
];

for (const [what, violates, answer, subprotocol = 'oneM2M.cbor'] of overWsInCbor)
  test(`over WebSocket in CBOR: ${what}`, async (t) => {
    const found = await violated(t, await wsCse(t, answer, subprotocol, 'cbor'), 3, askedInCbor);
    assert.deepEqual(found, violates === undefined ? [] : [`std.ws.${violates}`]);
  });

test('over HTTP no rule of another binding applies', async () => {
  const run = lastOf(check({ target: { kind: 'in-process' }, dialect: 'onem2m', ids: ['standard/bindings'] }));
  const { scenarios, requirements } = await run;
  const asked = requirements.filter(({ verdict }) => verdict !== 'excluded');
  assert.ok(asked.length > 50);
  assert.deepEqual([...new Set(asked.map(({ verdict }) => verdict))], ['not applicable']);
  for (const { state, steps } of scenarios) {
    assert.equal(state, 'not applicable');
    assert.deepEqual(
      steps.flatMap(({ exchange }) => exchange ?? []),
      [],
    );
  }
});
