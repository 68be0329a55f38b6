/** The entry points `cselab/mqtt`, `cselab/ws` and `cselab/coap`: a CSE in memory, and clients that know nothing of us. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import coap from 'coap';
import { connectAsync } from 'mqtt';
import { WebSocket } from 'ws';
import { serveCoap } from './coap.ts';
import { createCse, type InMemoryCse } from './cse/create-cse.ts';
import type { ServedWire } from './cse/outgoing-wires.ts';
import { wireNames } from './dialects/outgoing-message.ts';
import { serveMqtt, startBroker } from './mqtt.ts';
import { serveWs } from './ws.ts';

/** An application that has asked for the CSE base, and is notified. */
interface Application {
  /** The response status code of the answer. */
  readonly rsc: number;
  /** To which the CSE sends what is for it. */
  readonly target: string;
  /** The next request of the CSE. */
  heard(): Promise<string>;
}

type Wired = (t: TestContext, cse: InMemoryCse) => Promise<ServedWire & { application(): Promise<Application> }>;

const retrieve = { op: 2, to: 'cse-in', fr: 'CAdmin', rqi: 'r1', rvi: '3' };
const content = { 'm2m:sgn': { vrq: true } };

const overMqtt: Wired = async (t, cse) => {
  const broker = await startBroker();
  t.after(() => broker.close());
  const served = await serveMqtt(cse, broker.url);
  return Object.assign(served, {
    async application() {
      const client = await connectAsync(broker.url);
      t.after(() => client.endAsync(true));
      await client.subscribeAsync(['/oneM2M/resp/CAdmin/#', 'news'], { qos: 1 });
      const next = () =>
        new Promise<string>((resolve) => client.once('message', (_topic, said) => resolve(String(said))));
      const answer = next();
      await client.publishAsync('/oneM2M/req/CAdmin/id-in/json', JSON.stringify(retrieve), { qos: 1 });
      return { rsc: JSON.parse(await answer).rsc, target: `${broker.url}/news`, heard: next };
    },
  });
};

const overWs: Wired = async (t, cse) => {
  const served = await serveWs(cse);
  return Object.assign(served, {
    async application() {
      const socket = new WebSocket(served.url, 'oneM2M.json');
      t.after(() => socket.terminate());
      await once(socket, 'open');
      const next = async () => String((await once(socket, 'message'))[0]);
      const ask = async (primitive: object) => {
        socket.send(JSON.stringify(primitive));
        return JSON.parse(await next()).rsc;
      };
      const ae = { rn: 'a', api: 'Na', rr: true, srv: ['3'] };
      await ask({ op: 1, to: 'cse-in', fr: 'CA', rqi: 'r0', rvi: '3', ty: 2, pc: { 'm2m:ae': ae } });
      return { rsc: await ask({ ...retrieve, fr: 'CAdmin' }), target: 'CA', heard: next };
    },
  });
};

const overCoap: Wired = async (t, cse) => {
  const served = await serveCoap(cse);
  return Object.assign(served, {
    async application() {
      const inbox = coap.createServer((_request, response) => {
        response.code = '2.04';
        response.setOption('307', Buffer.from([2000 >> 8, 2000 & 255]));
        response.end();
      });
      await new Promise<void>((resolve) => inbox.listen(0, '127.0.0.1', () => resolve()));
      t.after(() => inbox.close());
      const { port } = (inbox as unknown as { readonly _sock: { address(): AddressInfo } })._sock.address();
      const heard = async () => String((await once(inbox, 'request'))[0].payload);
      return { rsc: await asked(served.url), target: `coap://127.0.0.1:${port}/inbox`, heard };
    },
  });
};

async function asked(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const agent = new coap.Agent();
  const request = coap.request({ hostname, port: Number(port), method: 'GET', pathname: '/cse-in', agent });
  for (const [option, value] of Object.entries({ 279: 'CAdmin', 283: 'r1', 271: '3' }))
    request.setOption(option, Buffer.from(value));
  request.end();
  const [{ options }] = await once(request, 'response');
  agent.close();
  return options.find(({ name }: { name: unknown }) => String(name) === '307').value.readUInt16BE();
}

const all = { mqtt: overMqtt, ws: overWs, coap: overCoap };

for (const wire of ['mqtt', 'ws', 'coap'] as const)
  test(`a CSE in memory is reached over ${wireNames[wire]}, and sends by it, until that is closed`, async (t) => {
    await using cse = createCse({ dialect: 'onem2m' });
    await using served = await all[wire](t, cse);
    assert.match(served.url, new RegExp(`^${wire}://127\\.0\\.0\\.1:\\d+$`));
    const { rsc, target, heard } = await served.application();
    assert.equal(rsc, 2000);
    assert.equal(cse.requests.last?.wire, wire);
    const { outgoing } = cse.core.services;
    const notify = () => outgoing.send(target, outgoing.ownRequest({ operation: 'notify', content }));
    const came = heard();
    // That it is not answered by all of them changes nothing.
    const sent = notify().catch(() => undefined);
    assert.match(await came, /"m2m:sgn"/);
    await served.close();
    await sent;
    await assert.rejects(notify(), { name: 'CseError' });
  });

for (const [wire, serve, scheme] of [
  ['ws', serveWs, 'ws://127.0.0.1:9'],
  ['coap', serveCoap, 'coap://127.0.0.1:9'],
] as const)
  test(`what a CSE is not to send to is not sent to over ${wireNames[wire]}`, async () => {
    await using cse = createCse({ dialect: 'onem2m', notifyDeny: ['private'] });
    await using _served = await serve(cse);
    const sending = cse.wires.send(scheme, { method: 'POST', target: '/', headers: { 'X-M2M-RI': 'r1' } });
    await assert.rejects(sending, { name: 'UnreachableError', message: /nothing is sent to 127\.0\.0\.1/ });
  });
