/** An end of CoAP that knows nothing of ours: it sends what a test says, and hears each datagram as the package `coap-packet` reads it. */

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { generate, type Packet, type ParsedPacket, parse } from 'coap-packet';

export async function rawCoap(t: TestContext, to?: string) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  const received: Array<{ readonly packet: ParsedPacket; readonly port: number; readonly bytes: Buffer }> = [];
  socket.on('message', (bytes, { port }) => void received.push({ packet: parse(bytes), port, bytes }));
  const target = to === undefined ? 0 : Number(new URL(to).port);
  const next = async () => {
    while (received.length === 0) await once(socket, 'message');
    return received.shift() as (typeof received)[number];
  };
  const send = (message: Packet | Buffer, port = target) =>
    socket.send(message instanceof Uint8Array ? message : generate(message, 65_536), port, '127.0.0.1');
  /** What is answered, with the acknowledgement or, by a busy machine, after an empty one. */
  const ask = async (message: Packet) => {
    send(message);
    const { packet } = await next();
    if (packet.code !== '0.00' || !packet.ack) return packet;
    const later = (await next()).packet;
    if (later.confirmable) send({ code: '0.00', ack: true, messageId: later.messageId });
    return later;
  };
  /** Everything that was sent before has come there, and what was heard of it is the pong alone. */
  const ping = async () => {
    lastId += 1;
    const messageId = lastId;
    send({ code: '0.00', confirmable: true, messageId });
    const { packet } = await next();
    assert.deepEqual([packet.reset, packet.messageId], [true, messageId]);
  };
  return { url: `coap://127.0.0.1:${socket.address().port}`, next, send, ask, ping };
}

let lastId = 0;

/** With the options that requests of oneM2M have. */
export function request(
  code: string,
  path: string,
  {
    from = 'CA',
    options = {},
    ...rest
  }: Partial<Omit<Packet, 'options'>> & {
    from?: string;
    options?: Readonly<Record<string, string | number | Buffer>>;
  } = {},
): Packet {
  const [before = '', query = ''] = path.split('?');
  lastId += 1;
  return {
    ...{ code, messageId: lastId, token: Buffer.from(`t${lastId}`), confirmable: true },
    options: [
      ...before.split('/').map((part) => ({ name: 'Uri-Path' as const, value: Buffer.from(part) })),
      ...query
        .split('&')
        .filter(Boolean)
        .map((part) => ({ name: 'Uri-Query' as const, value: Buffer.from(part) })),
      ...[
        ['279', from],
        ['283', `r${lastId}`],
        ['271', '3'],
      ].map(([name = '', value = '']) => ({ name, value: Buffer.from(value) })),
      ...Object.entries(options).map(([name, value]) => ({ name, value: octetsOf(value) })),
    ],
    ...rest,
  };
}

const octetsOf = (value: string | number | Buffer): Buffer =>
  typeof value === 'number'
    ? Buffer.from(value < 256 ? [value] : [value >> 8, value & 255])
    : Buffer.from(value as string);

export const optionIn = ({ options }: ParsedPacket, option: string): string | undefined =>
  options.find(({ name }) => String(name) === option)?.value.toString('utf8');

export const numberIn = ({ options }: ParsedPacket, option: string): number | undefined =>
  options.find(({ name }) => String(name) === option)?.value.reduce((sum, octet) => sum * 256 + octet, 0);

export const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
