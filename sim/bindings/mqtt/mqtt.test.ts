import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { encode } from 'cborg';
import { connectAsync, type MqttClient } from 'mqtt';
import { shipped } from '../../../certs/shipped.ts';
import { takeSnapshot } from '../../core/operations/snapshot.ts';
import { type CseNode, startNode } from '../../topology/node.ts';
import type { NodeSettings } from '../../topology/node-settings.ts';
import { readTlsFiles } from '../../topology/tls-files.ts';
import { type Broker, startBroker } from './broker.ts';

const standard = { dialect: 'onem2m', cseId: 'id-in', base: 'cse-in' } as const;

async function broker(t: TestContext, options?: Parameters<typeof startBroker>[0]): Promise<Broker> {
  const started = await startBroker(options);
  t.after(() => started.close());
  return started;
}

async function node(t: TestContext, url: string, settings: Partial<NodeSettings> = {}): Promise<CseNode> {
  const started = await startNode({ cse: standard, mqtt: { url }, ...settings });
  t.after(() => started.close());
  return started;
}

/** A client that knows nothing of us: what it sends and hears are topics and texts. */
async function client(t: TestContext, url: string, topics: readonly string[]) {
  const connected: MqttClient = await connectAsync(url);
  t.after(() => connected.endAsync(true));
  await connected.subscribeAsync([...topics], { qos: 1 });
  const heard: Array<readonly [topic: string, payload: Buffer]> = [];
  connected.on('message', (topic, payload) => void heard.push([topic, payload]));
  const next = async (): Promise<readonly [string, Buffer]> => {
    while (heard.length === 0) await new Promise((resolve) => connected.once('message', resolve));
    return heard.shift() as readonly [string, Buffer];
  };
  const publish = (topic: string, value: unknown) =>
    connected.publishAsync(topic, value instanceof Uint8Array ? Buffer.from(value) : JSON.stringify(value), { qos: 1 });
  return { next, publish, connected };
}

const read = (payload: Buffer) => JSON.parse(payload.toString('utf8'));
const toCse = '/oneM2M/req/CA/id-in/json';
const register = {
  ...{ op: 1, to: 'cse-in', fr: 'CA', rqi: 'r1', rvi: '3', ty: 2 },
  pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } },
};

test('a request is answered on the topic of its originator, with its identifier', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CA/#']);
  await publish(toCse, register);
  const [topic, payload] = await next();
  assert.equal(topic, '/oneM2M/resp/CA/id-in/json');
  const { rsc, rqi, rvi, pc, to, fr } = read(payload);
  assert.deepEqual({ rsc, rqi, rvi, to, fr }, { rsc: 2001, rqi: 'r1', rvi: '3', to: 'CA', fr: '/id-in' });
  assert.equal(pc['m2m:ae'].aei, 'CA');
});

test('an entity without an identifier registers by its credential', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const { next, publish } = await client(t, url, ['/oneM2M/reg_resp/+/id-in/#']);
  await publish('/oneM2M/reg_req/token-7/id-in/json', { ...register, fr: 'C' });
  const [topic, payload] = await next();
  assert.equal(topic, '/oneM2M/reg_resp/token-7/id-in/json');
  assert.match(read(payload).pc['m2m:ae'].aei, /^C.+/);
});

test('an answer is written as its request is: in CBOR, and below the root that some write', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CAdmin/#']);
  const retrieve = { op: 2, to: 'cse-in', fr: 'CAdmin', rqi: 'r1', rvi: '3' };
  await publish('/oneM2M/req/CAdmin/id-in/cbor', encode(retrieve));
  const [topic, payload] = await next();
  assert.equal(topic, '/oneM2M/resp/CAdmin/id-in/cbor');
  assert.equal((payload[0] ?? 0) >> 5, 5, 'a CBOR map');
  await publish('/oneM2M/req/CAdmin/id-in/json', { 'm2m:rqp': retrieve });
  assert.equal(read((await next())[1])['m2m:rsp'].rsc, 2000);
});

test('what is delivered twice is done once and answered twice, until the CSE is as new', async (t) => {
  const { url } = await broker(t);
  const started = await node(t, url);
  const start = takeSnapshot(started.cse.core);
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CA/#']);
  const twice = async (): Promise<readonly unknown[]> => {
    await Promise.all([publish(toCse, register), publish(toCse, register)]);
    return [read((await next())[1]), read((await next())[1])];
  };
  const [first, second] = await twice();
  assert.deepEqual(second, first);
  assert.equal((first as { rsc: number }).rsc, 2001);
  await publish(toCse, { ...register, rqi: 'r2' });
  assert.equal(read((await next())[1]).rsc, 4105, 'another request');
  started.restore(start);
  await publish(toCse, register);
  const [again] = [read((await next())[1])];
  assert.equal(again.rsc, 2001);
  assert.equal(started.cse.core.tree.size, 2, 'it is there again');
});

test('what only reads is read anew, under the same identifier too', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CA/#']);
  const retrieve = { op: 2, to: 'cse-in/a', fr: 'CA', rqi: 'r1', rvi: '3' };
  await publish(toCse, retrieve);
  assert.equal(read((await next())[1]).rsc, 4004);
  await publish(toCse, register);
  await next();
  await publish(toCse, retrieve);
  assert.equal(read((await next())[1]).rsc, 2000);
});

for (const [what, value] of [
  ['no JSON', Buffer.from('{"op":')],
  ['no object', []],
  ['nothing', Buffer.alloc(0)],
  ['no operation', { to: 'cse-in', fr: 'CA', rqi: 'r1' }],
] as const)
  test(`${what} is refused, and the next request is served`, async (t) => {
    const { url } = await broker(t);
    await node(t, url);
    const { next, publish } = await client(t, url, ['/oneM2M/resp/CA/#']);
    await publish(toCse, value);
    assert.equal(read((await next())[1]).rsc, 4000);
    await publish(toCse, register);
    assert.equal(read((await next())[1]).rsc, 2001);
  });

test('what a server has kept for a CSE that was not there is no request to it', async (t) => {
  const { url } = await broker(t);
  const { next, publish, connected } = await client(t, url, ['/oneM2M/resp/CA/#']);
  await connected.publishAsync(toCse, JSON.stringify(register), { qos: 1, retain: true });
  await node(t, url);
  await publish(toCse, { op: 2, to: 'cse-in/a', fr: 'CA', rqi: 'r2', rvi: '3' });
  assert.deepEqual(
    [read((await next())[1])].map(({ rqi, rsc }) => [rqi, rsc]),
    [['r2', 4004]],
  );
});

test('an application entity is notified on its topic, below the path of its point of access, and by a topic in nu', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const own = ['/oneM2M/req/id-in/id-in:CA/#', 'below/it/oneM2M/req/id-in/id-in:CB/#', 'free/topic'];
  const { next, publish } = await client(t, url, own);
  const entity = (name: string, poa: string) => ({
    ...{ ...register, fr: `C${name}`, rqi: `ae${name}` },
    pc: { 'm2m:ae': { rn: name, api: 'Na', rr: true, srv: ['3'], poa: [poa] } },
  });
  await publish('/oneM2M/req/CA/id-in/json', entity('A', url));
  await publish('/oneM2M/req/CB/id-in/json', entity('B', `${url}/below/it`));
  const container = { op: 1, to: 'cse-in/A', fr: 'CA', rqi: 'c', rvi: '3', ty: 3, pc: { 'm2m:cnt': { rn: 'c' } } };
  await publish(toCse, container);
  const watch = { nu: ['/id-in/CA', '/id-in/CB', `${url}/free/topic`], enc: { net: [3] }, rn: 's' };
  await publish(toCse, { ...container, to: 'cse-in/A/c', rqi: 's', ty: 23, pc: { 'm2m:sub': watch } });
  const answer = async (topic: string, payload: Buffer): Promise<void> => {
    const to = topic.replace('/req/', '/resp/');
    if (to !== topic) await publish(to, { rsc: 2000, rqi: read(payload).rqi });
  };
  // Two questions whether the targets want it; who creates a subscription to itself is not asked.
  const asked = [await next(), await next()];
  for (const [topic, payload] of asked) await answer(topic, payload);
  assert.deepEqual(asked.map(([topic]) => topic).sort(), ['below/it/oneM2M/req/id-in/id-in:CB/json', 'free/topic']);
  assert.ok(asked.every(([, payload]) => read(payload).pc['m2m:sgn'].vrq));
  await publish(toCse, { ...container, to: 'cse-in/A/c', rqi: 'i', ty: 4, pc: { 'm2m:cin': { con: 'hello' } } });
  const told = new Map<string, string>();
  while (told.size < 3) {
    const [topic, payload] = await next();
    const { op, pc } = read(payload);
    assert.equal(op, 5);
    told.set(topic, pc['m2m:sgn'].nev.rep['m2m:cin'].con);
    await answer(topic, payload);
  }
  assert.deepEqual(
    [...told].toSorted(),
    ['/oneM2M/req/id-in/id-in:CA/json', 'below/it/oneM2M/req/id-in/id-in:CB/json', 'free/topic'].map((topic) => [
      topic,
      'hello',
    ]),
  );
});

test('a gateway registers at its backend over MQTT, and requests go on to it', async (t) => {
  const { url } = await broker(t);
  await node(t, url);
  const remote = { base: 'cse-in', cseId: 'id-in', cseType: 'IN-CSE', poa: [url], ownPoa: [] } as const;
  const gateway = await node(t, url, {
    cse: { ...standard, cseId: 'id-mn', base: 'cse-mn', cseType: 'MN-CSE' },
    registration: { interval: 3600, offset: 0, labels: [], remoteCses: [remote] },
  });
  await gateway.whenRegistered();
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CAdmin/#']);
  const through = { op: 2, to: '/id-in/cse-in/id-mn', fr: '/id-mn', rqi: 'r1', rvi: '3' };
  await publish('/oneM2M/req/CAdmin/id-mn/json', through);
  const { rsc, pc } = read((await next())[1]);
  assert.equal(rsc, 2000);
  assert.deepEqual(pc['m2m:csr'].poa, [url]);
});

test('user and password are shown to the server and to nobody else', async (t) => {
  const { url } = await broker(t, { admits: (name, password) => name === 'gate' && password === 'p@ss' });
  const withWords = url.replace('mqtt://', 'mqtt://gate:p%40ss@');
  const { cse } = await node(t, withWords);
  assert.deepEqual(cse.core.tree.base.values.poa, [url]);
  await assert.rejects(startNode({ cse: standard, mqtt: { url } }), {
    name: 'UnreachableError',
    message: /^mqtt:\/\/127\.0\.0\.1:\d+: .*[Nn]ot authorized/,
  });
});

test('a server over TLS demands a certificate, and gets that of the CSE', async (t) => {
  const gateway = shipped.certificate('mn-cse-1-client-server');
  const files = { key: gateway.key, crt: gateway.cert, ca: shipped.chain };
  const material = await readTlsFiles(files);
  const { url } = await broker(t, { tls: material });
  assert.match(url, /^mqtts:/);
  await node(t, url, { tls: files, acceptInsecureCerts: true });
  await assert.rejects(startNode({ cse: standard, mqtt: { url }, acceptInsecureCerts: true }), {
    name: 'UnreachableError',
  });
});

test('a server that comes back finds the CSE again', async (t) => {
  const first = await startBroker();
  const port = Number(new URL(first.url).port);
  await node(t, first.url);
  await first.close();
  const { url } = await broker(t, { port });
  const { next, publish } = await client(t, url, ['/oneM2M/resp/CA/#', '$SYS/+/new/clients']);
  while (!(await next())[1].toString('utf8').includes('C::id-in'));
  await publish(toCse, register);
  assert.equal(read((await next())[1]).rsc, 2001);
});
