/** What an application does over WebSocket, or is heard to do over MQTT, becomes a scenario that passes again over either wire. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connectAsync } from 'mqtt';
import { WebSocket, WebSocketServer } from 'ws';
import { parse } from 'yaml';
import { startGateway, writtenDeviations } from '../../sim/index.ts';
import { requestIn } from '../engine/messages/coap-message.ts';
import { contentText, serialize } from '../engine/messages/serialization.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { CoapEndpoint } from '../engine/targets/wires/coap-endpoint.ts';
import { check } from '../index.ts';
import { Listeners } from './adapt-requests.ts';
import { record } from './record.ts';

const names = { dialect: 'onem2m', base: 'cse-mn', cseId: 'id-mn' } as const;
const never = (sentence: string) => assert.fail(sentence);

/** Each with what its answer is to say. */
const asked = [
  [{ op: 1, to: 'cse-mn', ty: 2, pc: { 'm2m:ae': { rn: 'meter', api: 'Nmeter', rr: true, srv: ['3'] } } }, 2001],
  [{ op: 1, to: 'cse-mn/meter', ty: 3, pc: { 'm2m:cnt': { rn: 'values', lbl: ['kWh'] } } }, 2001],
  [{ op: 1, to: 'cse-mn/meter/values', ty: 4, pc: { 'm2m:cin': { con: '42' } } }, 2001],
  [{ op: 2, to: 'cse-mn/meter/values/la' }, 2000],
  [{ op: 2, to: 'cse-mn', fc: { fu: 1, lbl: ['kWh'] } }, 2000],
  [{ op: 2, to: 'cse-mn/meter/nothing' }, 4004],
  [{ op: 4, to: 'cse-mn/meter' }, 2002],
] as const;

/** One after the other, each when that before it was answered. */
async function ask(send: (text: string) => Promise<unknown>): Promise<void> {
  for (const [number, [primitive, rsc]] of asked.entries()) {
    const message = { ...primitive, fr: 'Cmeter', rqi: `r${number}`, rvi: '3' };
    const answer = JSON.parse(String(await send(JSON.stringify(message)))) as Readonly<Record<string, unknown>>;
    assert.deepEqual([answer.rqi, answer.rsc], [message.rqi, rsc], JSON.stringify(answer));
  }
}

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-record-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'recorded.yaml');
}

async function passesAt(url: string, file: string): Promise<void> {
  const target = { kind: 'url', url, base: names.base, cseId: names.cseId } as const;
  const { exit, scenarios } = await lastOf(check({ target, files: [file], dialect: 'onem2m', again: false }));
  assert.equal(exit.code, 0, exit.reason);
  assert.ok((scenarios[0]?.steps.length ?? 0) >= asked.length - 1);
}

test('over WebSocket a proxy hands on both ways, and what passed passes again', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', ws: true });
  const [out, url] = [fileIn(t), gateway.wsUrl ?? ''];
  const found: string[] = [];
  const judge = {
    isAlone: true,
    onFound: ({ requirement }: { readonly requirement: string }) => found.push(requirement),
  };
  const proxy = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never, judge });
  const client = new WebSocket(proxy.url, ['other', 'oneM2M.json']);
  await once(client, 'open');
  assert.equal(client.protocol, 'oneM2M.json');
  await ask(async (text) => {
    client.send(text);
    const [answer] = await once(client, 'message');
    return answer;
  });
  client.close();
  await proxy.close();
  assert.deepEqual(found, []);
  assert.match(readFileSync(out, 'utf8'), /What 7 recorded requests did/);
  await passesAt(url, out);
});

test('what is said in CBOR over WebSocket passes again in JSON', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', ws: true });
  const [out, url] = [fileIn(t), gateway.wsUrl ?? ''];
  const proxy = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never });
  const client = new WebSocket(proxy.url, ['oneM2M.cbor']);
  await once(client, 'open');
  await ask(async (text) => {
    client.send(serialize(JSON.parse(text), 'cbor'));
    const [answer] = (await once(client, 'message')) as [Buffer];
    return contentText(answer);
  });
  client.close();
  await proxy.close();
  assert.match(readFileSync(out, 'utf8'), /What 7 recorded requests did/);
  await passesAt(url, out);
});

test('what cannot be read is handed on over WebSocket, and told once', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', ws: true });
  const lost: string[] = [];
  const target = { url: gateway.wsUrl ?? '', ...names };
  const proxy = await record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: (one) => lost.push(one) });
  const client = new WebSocket(proxy.url, ['oneM2M.json']);
  await once(client, 'open');
  for (const message of ['<m2m:rqp/>', '[]']) {
    client.send(message);
    const [answer] = (await once(client, 'message')) as [Buffer];
    assert.match(answer.toString(), /"rsc":4000/);
  }
  client.close();
  await proxy.close();
  assert.deepEqual(lost, ['messages that are neither JSON nor CBOR are forwarded, but not recorded']);
});

test('a proxy for WebSocket before nobody says so, and lets the client go', async (t) => {
  const lost: string[] = [];
  const target = { url: 'ws://127.0.0.1:1', ...names };
  const proxy = await record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: (one) => lost.push(one) });
  const [error] = (await once(new WebSocket(proxy.url, ['oneM2M.json']), 'error')) as [Error];
  assert.match(error.message, /502/);
  assert.match(lost.join(), /^the connection to the target failed: .*ECONNREFUSED/);
  await proxy.close();
});

/** What is answered to a request for a WebSocket with these headers. */
async function upgraded(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const asking = request(url.replace(/^ws/, 'http'), {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...headers },
  });
  const [{ statusCode }] = (await once(asking.end(), 'response')) as [IncomingMessage];
  return statusCode;
}

test('clients that speak WebSocket wrongly are refused, leave nothing open, and end no recording', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', ws: true });
  const target = { url: gateway.wsUrl ?? '', ...names };
  const proxy = await record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: () => undefined });
  const key = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  for (const names of ['oneM2M.json, oneM2M.json', 'one M2M', 'a,,(b)'])
    assert.equal(await upgraded(proxy.url, { ...key, 'Sec-WebSocket-Protocol': names }), 400, names);
  assert.equal(
    await upgraded(proxy.url, { ...key, 'Sec-WebSocket-Key': 'short', 'Sec-WebSocket-Protocol': 'oneM2M.json' }),
    400,
  );
  const client = new WebSocket(proxy.url, ['oneM2M.json']);
  await once(client, 'open');
  client.close();
  await once(client, 'close');
  await proxy.close();
});

test('a target that ends a connection without a word ends that of the client, and writes nothing into it', async (t) => {
  const lost: string[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  t.after(() => server.close());
  // A frame that no server may send: masked (RFC 6455, clause 5.1).
  server.on('connection', (_client, { socket }) =>
    setImmediate(() => socket.write(Buffer.from([0x81, 0x80, 0, 0, 0, 0]))),
  );
  const target = { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, ...names };
  const proxy = await record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: (one) => lost.push(one) });
  const client = new WebSocket(proxy.url, ['oneM2M.json']);
  const errors: string[] = [];
  client.on('error', ({ message }) => errors.push(message));
  const [code] = (await once(client, 'close')) as [number];
  assert.deepEqual([code, errors], [1006, []]);
  assert.match(lost.join(), /^the connection to the target failed: .*MASK/);
  await proxy.close();
});

test('what is heard at an MQTT server passes again, over HTTP as well', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', mqtt: true });
  const [out, url] = [fileIn(t), gateway.mqttUrl ?? ''];
  const recorder = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never });
  const client = await connectAsync(url);
  await client.subscribeAsync('/oneM2M/resp/Cmeter/id-mn/#', { qos: 1 });
  await ask(async (text) => {
    const answered = new Promise((resolve) => client.once('message', (_topic, payload) => resolve(payload)));
    await client.publishAsync('/oneM2M/req/Cmeter/id-mn/json', text, { qos: 1 });
    return answered;
  });
  await client.endAsync();
  await recorder.close();
  assert.match(readFileSync(out, 'utf8'), /What 7 recorded requests did/);
  await passesAt(url, out);
  await passesAt(gateway.url, out);
});

test('over CoAP a proxy hands on both ways, in blocks too, and what passed passes again', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', coap: true });
  const [out, url] = [fileIn(t), gateway.coapUrl ?? ''];
  const found: string[] = [];
  const judge = {
    isAlone: true,
    onFound: ({ requirement }: { readonly requirement: string }) => found.push(requirement),
  };
  const proxy = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never, judge });
  const { hostname, port } = new URL(proxy.url);
  t.after(() => proxy.close());
  const line = await CoapEndpoint.open(hostname, Number(port));
  t.after(() => line.close());
  const over = AbortSignal.timeout(60_000);
  const [con, poa] = ['a'.repeat(3000), ['coap://127.0.0.1:9/here']];
  for (const [number, { ty, body, code, ...request }] of [
    { method: 'POST', path: '/cse-mn', ty: 2, body: { 'm2m:ae': { ...asked[0][0].pc['m2m:ae'], poa } }, code: '2.01' },
    { method: 'POST', path: '/cse-mn/meter', ty: 3, body: asked[1][0].pc, code: '2.01' },
    { method: 'POST', path: '/cse-mn/meter/values', ty: 4, body: { 'm2m:cin': { con } }, code: '2.01' },
    { method: 'GET', path: '/cse-mn/meter/values/la', ty: undefined, body: undefined, code: '2.05' },
    { method: 'GET', path: '/cse-mn/meter/nothing', ty: undefined, body: undefined, code: '4.04' },
    { method: 'DELETE', path: '/cse-mn/meter', ty: undefined, body: undefined, code: '2.02' },
  ].entries()) {
    const type = ty === undefined ? [] : [['content-type', `application/json;ty=${ty}`] as const];
    const usual = { 'x-m2m-origin': 'Cmeter', 'x-m2m-ri': `r${number}`, 'x-m2m-rvi': '3' };
    const headers = [...Object.entries(usual), ...type];
    const said = requestIn({ ...request, headers, ...(body && { body: Buffer.from(JSON.stringify(body)) }) });
    const { message: answer } = await line.ask(said, { signal: over, onAccepted: () => {} });
    assert.equal(answer.code, code, answer.payload.toString());
    assert.equal(answer.payload.includes(con), request.path.includes('/values'));
  }
  assert.deepEqual(found, []);
  assert.match(readFileSync(out, 'utf8'), /What 6 recorded requests did/);
  // What is notified goes past the proxy; a replay has it come to itself.
  assert.deepEqual([proxy.notifies, looksIn(out)], [false, { needs: undefined, inboxes: { inbox1: {} }, steps: [] }]);
  await passesAt(url, out);
});

test('a name that nobody knows is a mistake of who gives it, over CoAP too', async (t) => {
  const target = { url: 'coap://nobody.invalid', ...names };
  await assert.rejects(record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: never }), {
    name: 'UsageError',
    message: /^the target cannot be reached: .*nobody\.invalid/,
  });
});

test('a proxy for CoAP before nobody says so', async (t) => {
  const target = { url: 'coap://127.0.0.1:1', ...names };
  const { promise, onLost } = heardOnce();
  const proxy = await record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost });
  t.after(() => proxy.close());
  const client = createSocket('udp4');
  t.after(() => client.close());
  client.send(Buffer.from([0x40, 1, 0, 1]), Number(new URL(proxy.url).port), '127.0.0.1');
  assert.match(await promise, /^the target cannot be reached: .*ECONNREFUSED/);
});

function heardOnce() {
  let onLost = (_sentence: string) => {};
  const promise = new Promise<string>((resolve) => {
    onLost = resolve;
  });
  return { promise, onLost };
}

/** Registers, subscribes in a form, and creates two content instances, each after the notification of the one before. */
async function subscribed(
  { poa, nu }: { readonly poa?: readonly string[]; readonly nu: string },
  { send, notified }: { readonly send: (text: string) => Promise<unknown>; readonly notified: () => Promise<unknown> },
): Promise<void> {
  const own = { rn: 'meter', api: 'Nmeter', rr: true, srv: ['3'], ...(poa && { poa }) };
  const watch = { rn: 'watch', nu: [nu], nct: 1, enc: { net: [3] } };
  for (const [number, primitive] of [
    { to: 'cse-mn', ty: 2, pc: { 'm2m:ae': own } },
    { to: 'cse-mn/meter', ty: 3, pc: { 'm2m:cnt': { rn: 'values' } } },
    { to: 'cse-mn/meter/values', ty: 23, pc: { 'm2m:sub': watch } },
    { to: 'cse-mn/meter/values', ty: 4, pc: { 'm2m:cin': { con: 'one' } } },
    { to: 'cse-mn/meter/values', ty: 4, pc: { 'm2m:cin': { con: 'two' } } },
  ].entries()) {
    const came = primitive.ty === 4 ? notified() : undefined;
    const answer = await send(JSON.stringify({ op: 1, ...primitive, fr: 'Cmeter', rqi: `r${number}`, rvi: '3' }));
    assert.match(String(answer), /"rsc":2001/);
    await came;
  }
  await send(JSON.stringify({ op: 4, to: 'cse-mn/meter', fr: 'Cmeter', rqi: 'end', rvi: '3' }));
}

const looksIn = (file: string) => {
  const { scenarios, needs, inboxes } = parse(readFileSync(file, 'utf8'));
  const steps = scenarios.recorded.steps.filter((step: object) => 'notified' in step);
  return { needs, inboxes, steps };
};
const look = (con: string) => ({
  ...{ notified: 'inbox1', until: 1, within: '10s' },
  check: {
    'std.notification.event.create-child': {
      ...{ notifications: 1, notification: { event: 3, root: 'm2m:cin', attributes: { con } } },
    },
  },
});

/** It has a look for each notification, passes again at each URL, and fails where nothing is sent. */
async function looksAgain(file: string, ...urls: readonly string[]): Promise<void> {
  assert.deepEqual(looksIn(file), {
    ...{ needs: ['notifications'], inboxes: { inbox1: {} }, steps: [look('one'), look('two')] },
  });
  for (const url of urls) await passesAt(url, file);
  const [lost] = writtenDeviations().filter(({ violates }) => violates === 'std.notification.event.create-child');
  const target = { kind: 'embedded', deviations: [lost?.id ?? ''], hasty: true } as const;
  const { exit } = await lastOf(check({ target, files: [file], dialect: 'onem2m', again: false }));
  assert.deepEqual([exit.code, /std\.notification\.event\.create-child/.test(exit.reason)], [1, true], exit.reason);
}

for (const [form, poa, nu] of [
  ['topic', undefined, 'mqtt://server/meter/news'],
  ['topic with its serialization', undefined, 'mqtt://server/meter/news?ct=json'],
  ['point of access', ['mqtt://server'], 'Cmeter'],
] as const)
  test(`what is notified over MQTT at a ${form} becomes steps that pass again`, async (t) => {
    await using gateway = await startGateway({ dialect: 'onem2m', mqtt: true });
    const [out, url] = [fileIn(t), gateway.mqttUrl ?? ''];
    const recorder = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never });
    assert.equal(recorder.notifies, true);
    const client = await connectAsync(url);
    await client.subscribeAsync(['/oneM2M/resp/Cmeter/id-mn/#', '/oneM2M/req/id-mn/#', 'meter/news'], {
      qos: 1,
    });
    const here = (text: string) => text.replace('mqtt://server', url.replace(/\/$/, ''));
    const next = (isOne: (topic: string) => boolean) =>
      new Promise<Buffer>((resolve) => {
        client.on('message', function hear(topic, payload) {
          if (!isOne(topic)) return;
          client.off('message', hear);
          resolve(payload);
        });
      });
    await subscribed(
      { nu: here(nu), ...(poa && { poa: poa.map(here) }) },
      {
        async send(text) {
          const answer = next((topic) => topic.includes('/resp/'));
          await client.publishAsync('/oneM2M/req/Cmeter/id-mn/json', text, { qos: 1 });
          return answer;
        },
        async notified() {
          const { rqi } = JSON.parse(String(await next((topic) => !topic.includes('/resp/'))));
          await client.publishAsync('/oneM2M/resp/id-mn/id-mn:Cmeter/json', JSON.stringify({ rqi, rsc: 2000 }), {
            qos: 1,
          });
        },
      },
    );
    await client.endAsync();
    await recorder.close();
    await looksAgain(out, url, gateway.url);
  });

test('two applications that are notified behind one point of access share an inbox', () => {
  const at = (path: string, name: string) => ({
    request: {
      method: 'POST',
      path,
      headers: [],
      body: JSON.stringify({ 'm2m:ae': { rn: name, poa: ['mqtt://one'] } }),
    },
    answer: { status: 201, headers: [], body: JSON.stringify({ 'm2m:ae': { aei: `C${name}` } }) },
    ...{ at: 0, took: 1, curl: '', sent: Buffer.alloc(0) },
  });
  const notified = ['id-mn:Ca', '/id-mn/Cb', 'cse-mn/b', 'Cother'].map((url) => ({
    ...{ method: 'POST', path: '', headers: [], at: 1, url },
  }));
  const listeners = new Listeners([at('/cse-mn', 'a'), at('/cse-mn', 'b')], notified);
  const nu = ['Ca', 'mqtt://two/', '/id-mn/Cother', 'Cunheard'];
  assert.deepEqual(listeners.adapted({ poa: ['mqtt://one'], nu }, 0), {
    poa: ['${inbox1.url}'],
    nu: ['Ca', '${inbox2.url}', '${inbox3.nu}', 'Cunheard'],
  });
  assert.deepEqual(
    notified.map(({ url }) => listeners.inboxOf(url)),
    ['inbox1', 'inbox1', 'inbox1', 'inbox3'],
  );
});

test('what is notified over the connection of an application becomes steps that pass again', async (t) => {
  await using gateway = await startGateway({ dialect: 'onem2m', ws: true });
  const [out, url] = [fileIn(t), gateway.wsUrl ?? ''];
  const proxy = await record({ target: { url, ...names }, out, port: 0, timeout: 5000, onLost: never });
  assert.equal(proxy.notifies, true);
  const client = new WebSocket(proxy.url, ['oneM2M.json']);
  await once(client, 'open');
  const next = (isOne: (text: string) => boolean) =>
    new Promise<string>((resolve) => {
      client.on('message', function hear(data) {
        if (!isOne(String(data))) return;
        client.off('message', hear);
        resolve(String(data));
      });
    });
  await subscribed(
    { nu: 'Cmeter' },
    {
      send(text) {
        const answer = next((one) => one.includes('"rsc"'));
        client.send(text);
        return answer;
      },
      async notified() {
        const { rqi } = JSON.parse(await next((one) => one.includes('m2m:sgn')));
        client.send(JSON.stringify({ rqi, rsc: 2000, fr: 'Cmeter' }));
      },
    },
  );
  client.close();
  await proxy.close();
  await looksAgain(out, url, gateway.url);
});

test('an MQTT server that is not there is told', async (t) => {
  const target = { url: 'mqtt://127.0.0.1:1', ...names };
  await assert.rejects(record({ target, out: fileIn(t), port: 0, timeout: 5000, onLost: never }), {
    name: 'UsageError',
    message: /^mqtt:\/\/127\.0\.0\.1:1 cannot be subscribed to: .*ECONNREFUSED/,
  });
});
