/** The packets of MQTT 3.1.1 that exchanges need, each with its acknowledgement. */

import { PendingBytes } from './pending-bytes.ts';

type Pair = readonly [packet: Buffer, answer: Buffer];

const types = { connect: 0x10, connack: 0x20, publish: 0x32, puback: 0x40, subscribe: 0x82, suback: 0x90 } as const;

export const connected = (clientId: string): Pair => [
  packet('connect', text('MQTT'), [4, 2], number(60), text(clientId)),
  packet('connack', [0, 0]),
];

export const subscribed = (filter: string): Pair => [
  packet('subscribe', number(1), text(filter), [1]),
  packet('suback', number(1), [1]),
];

/** With QoS 1. */
export const published = (topic: string, payload: string, id: number): Pair => [
  packet('publish', text(topic), number(id % 0xffff || 1), Buffer.from(payload)),
  packet('puback', number(id % 0xffff || 1)),
];

function packet(type: keyof typeof types, ...parts: ReadonlyArray<Uint8Array | readonly number[]>): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length: number[] = [];
  for (let left = body.length; left > 0 || length.length === 0; left >>>= 7)
    length.push(left > 127 ? (left & 127) | 128 : left);
  return Buffer.concat([Buffer.from([types[type], ...length]), body]);
}

const number = (value: number): readonly number[] => [value >> 8, value & 255];

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from(number(bytes.length)), bytes]);
}

interface MqttPacket {
  /** With its flags. */
  readonly type: number;
  readonly content: Buffer;
}

interface Published {
  readonly topic: string;
  readonly payload: Buffer;
}

/** Octets of the largest packet that is read. */
const largest = 16 * 1024 * 1024;

/** Reads the packets of one side of a connection. */
export class MqttReader {
  readonly #rest = new PendingBytes();
  isUnreadable = false;

  push(bytes: Buffer): MqttPacket[] {
    if (!this.#rest.push(bytes)) return [];
    const packets: MqttPacket[] = [];
    for (let one = this.#next(); one !== undefined; one = this.#next()) packets.push(one);
    return packets;
  }

  #next(): MqttPacket | undefined {
    const { bytes } = this.#rest;
    const { value, end } = variable(bytes, 1);
    this.isUnreadable ||= end > 5 || value > largest;
    if (end > 0) this.#rest.need(end + value - bytes.length);
    if (this.isUnreadable || end === 0 || bytes.length < end + value) return undefined;
    const read = { type: bytes[0] ?? 0, content: bytes.subarray(end, end + value) };
    this.#rest.bytes = bytes.subarray(end + value);
    return read;
  }
}

/** Protocol level of a CONNECT; undefined for another packet. */
export function levelIn({ type, content }: MqttPacket): number | undefined {
  if (type >> 4 !== 1 || content.length < 3) return undefined;
  return content[2 + content.readUInt16BE(0)];
}

export function publishedIn({ type, content }: MqttPacket, level: number): Published | undefined {
  if (type >> 4 !== 3 || content.length < 2) return undefined;
  const end = 2 + content.readUInt16BE(0);
  const identified = end + ((type & 6) === 0 ? 0 : 2);
  const properties = level === 5 ? variable(content, identified) : { value: 0, end: identified };
  return {
    topic: content.subarray(2, end).toString('utf8'),
    payload: content.subarray(properties.end + properties.value),
  };
}

/** A number in up to four octets, and its end; 0 if incomplete. */
function variable(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const octet = bytes[at] ?? 0;
    value += (octet & 127) * 128 ** (at - start);
    if (octet < 128 || at - start > 4) return { value, end: at + 1 };
  }
  return { value, end: 0 };
}
