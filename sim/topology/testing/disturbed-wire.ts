/** For tests: a CSE that is reached by one wire of messages and disturbed there, and a client that knows nothing of us. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connectAsync, type MqttClient } from 'mqtt';
import { WebSocket } from 'ws';
import { json, numberIn, optionIn, rawCoap, request } from '../../bindings/coap/testing/raw-coap.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';
import { type Gateway, startGateway } from '../pair.ts';

/** Sends request primitives. */
interface Client {
  send(primitive: object): Promise<unknown> | unknown;
}
type OnMessage = (payload: Buffer) => void;

export const wiresOfMessages = ['mqtt', 'ws', 'coap'] as const;
type MessageWireName = (typeof wiresOfMessages)[number];

export async function mqttClient(t: TestContext, { mqttUrl = '' }: Gateway, onMessage: OnMessage = () => {}) {
  const client: MqttClient = await connectAsync(mqttUrl);
  t.after(() => client.endAsync(true));
  await client.subscribeAsync('/oneM2M/resp/CA/#', { qos: 1 });
  client.on('message', (topic, payload) => topic.startsWith('/oneM2M') && onMessage(payload));
  const topic = '/oneM2M/req/CA/id-mn/json';
  return { client, send: (primitive: object) => client.publishAsync(topic, JSON.stringify(primitive), { qos: 1 }) };
}

export async function wsClient(t: TestContext, { wsUrl = '' }: Gateway, onMessage: OnMessage = () => {}) {
  const socket = new WebSocket(wsUrl, 'oneM2M.json');
  t.after(() => socket.terminate());
  socket.on('message', (payload) => onMessage(payload as Buffer));
  const [[{ socket: under }]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')]);
  /** What the network says of its end. */
  const errors: unknown[] = [];
  (under as Socket).on('error', ({ code }: NodeJS.ErrnoException) => errors.push(code));
  return { socket, errors, send: (primitive: object) => socket.send(JSON.stringify(primitive)) };
}

const methods = ['', '0.02', '0.01', '0.03', '0.04'];

interface Primitive {
  readonly op: number;
  readonly to: string;
  readonly rqi: string;
  readonly ty?: number;
  readonly pc?: object;
}

/** Messages as they are said over CoAP; of what is answered the parameters that the other wires have in the message. */
async function coapClient(t: TestContext, { coapUrl }: Gateway, onMessage: OnMessage) {
  const { send, next } = await rawCoap(t, coapUrl);
  const listen = async (): Promise<void> => {
    const { packet } = await next();
    onMessage(Buffer.from(JSON.stringify({ rqi: optionIn(packet, '283'), rsc: numberIn(packet, '307') })));
    return listen();
  };
  listen();
  return {
    send(primitive: object) {
      const { op, to, rqi, ty, pc } = primitive as Primitive;
      const parts = { ...(pc && { payload: json(pc) }), ...(ty !== undefined && { options: { 267: ty } }) };
      const { options = [], ...packet } = request(methods[op] ?? '', to, parts);
      const identified = options.filter(({ name }) => name !== '283');
      send({ ...packet, options: [...identified, { name: '283', value: Buffer.from(rqi) }] });
    },
  };
}

const clients = { mqtt: mqttClient, ws: wsClient, coap: coapClient };

interface DisturbedWire {
  readonly gateway: Gateway;
  readonly clock: ManualClock;
  /** Sends a request, to retrieve the CSE base unless more is said. */
  ask(rqi: string, more?: object): Promise<unknown>;
  /** The same to register an application entity. */
  register(rqi: string): Promise<unknown>;
  isRegistered(): boolean;
  /** The next answer. */
  raw(): Promise<Buffer>;
  next(): Promise<{ readonly rqi: string; readonly rsc: number }>;
}

export async function disturbedWire(
  t: TestContext,
  wire: MessageWireName,
  rules: readonly string[],
): Promise<DisturbedWire> {
  const clock = manualClock();
  const gateway = await startGateway({ dialect: 'onem2m', [wire]: true, clock, disturbances: rules });
  t.after(() => gateway.close());
  const received: Buffer[] = [];
  let wake = () => {};
  const client: Client = await clients[wire](t, gateway, (payload) => {
    received.push(payload);
    wake();
  });
  const raw = async (): Promise<Buffer> => {
    while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return received.shift() as Buffer;
  };
  const ask: DisturbedWire['ask'] = async (rqi, more = { op: 2, to: 'cse-mn' }) =>
    client.send({ fr: 'CA', rvi: '3', rqi, ...more });
  return {
    ...{ gateway, clock, raw, ask },
    register: (rqi) => ask(rqi, registration),
    isRegistered: () => gateway.cse.core.tree.byAlias('CA') !== undefined,
    async next() {
      const { rqi, rsc } = JSON.parse(String(await raw()));
      assert.equal(typeof rqi, 'string');
      return { rqi, rsc };
    },
  };
}

const registration = {
  ...{ op: 1, to: 'cse-mn', ty: 2 },
  pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } },
};

/** Time is moved until what waits for it has happened. */
export async function until(happened: Promise<unknown>, move: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  happened.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await move();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
