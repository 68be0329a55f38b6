/** Writes a run as a packet capture in pcapng format (draft-ietf-opsawg-pcapng) for Wireshark. */

import type { RunResult } from '../engine/results/result.ts';
import { exportedOf } from './exported.ts';
import { tracesOf, type WireTrace } from './wire-traces.ts';

/** Usual ports, by which programs recognise each wire. */
const ports = { HTTP: 80, WebSocket: 80, MQTT: 1883, CoAP: 5683 } as const;
/** The first dynamic port (RFC 6335). */
const firstPort = 49_152;

/**
 * The frames are synthetic. Each CSE is an interface described by its URL, at the usual port of its wire; TLS content is in plain text.
 */
export async function renderPcapng(result: RunResult): Promise<Uint8Array> {
  const { tool, run, target } = result;
  const traces = await tracesOf(exportedOf(result));
  const urls = [...new Set(traces.map(({ url }) => url))];
  const frames = traces.flatMap((trace, number) => {
    const of = urls.indexOf(trace.url);
    const ends = { client: firstPort + (number % 16_384), target: 2 + (of % 250), port: ports[trace.wire] };
    const made = trace.wire === 'CoAP' ? udpFrames(trace, ends) : tcpFrames(trace, ends);
    return made.map((frame) => ({ ...frame, of }));
  });
  frames.sort((a, b) => a.at - b.at);
  const says = `Run ${run} on ${target.url}. Frames, addresses and ports are made up; what TLS protected is in plain text.`;
  return Buffer.concat([
    section(says, `${tool.name} ${tool.version}`),
    ...urls.map((url) => interfaceOf(url)),
    ...frames.map(packet),
  ]);
}

const [endOfOptions, ethernet] = [0, 1];

function section(comment: string, application: string): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(0x1a2b3c4d, 0);
  body.writeUInt16LE(1, 4);
  body.writeBigInt64LE(-1n, 8);
  return block(0x0a0d0d0a, body, optionOf(1, comment), optionOf(4, application));
}

function interfaceOf(url: string): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(ethernet, 0);
  return block(1, body, optionOf(3, url));
}

function packet({ at, bytes, comment, of }: Frame & { readonly of: number }): Buffer {
  const body = Buffer.alloc(20);
  const micros = BigInt(Math.round(at * 1000));
  body.writeUInt32LE(of, 0);
  body.writeUInt32LE(Number(micros >> 32n), 4);
  body.writeUInt32LE(Number(micros & 0xffff_ffffn), 8);
  body.writeUInt32LE(bytes.length, 12);
  body.writeUInt32LE(bytes.length, 16);
  return block(6, Buffer.concat([body, padded(bytes)]), ...(comment === undefined ? [] : [optionOf(1, comment)]));
}

function block(type: number, body: Buffer, ...options: readonly Buffer[]): Buffer {
  const all = Buffer.concat([body, ...options, ...(options.length > 0 ? [Buffer.alloc(4, endOfOptions)] : [])]);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(all.length + 12, 4);
  return Buffer.concat([head, all, head.subarray(4)]);
}

function optionOf(code: number, text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 0xffff);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, padded(bytes)]);
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

// Ethernet frames of a trace: IPv4 with TCP (RFC 9293) or UDP, between addresses for documentation (RFC 5737).

export interface Frame {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly comment?: string | undefined;
}

/** The endpoints: the client's port, the last octet of the target's address, and its port. */
export interface FrameEnds {
  readonly client: number;
  readonly target: number;
  readonly port: number;
}

const protocols = { tcp: 6, udp: 17 } as const;
const flags = { fin: 1, syn: 2, reset: 4, push: 8, ack: 16 } as const;
/** Octets of a segment (RFC 6691). */
const largestSegment = 1460;
const [firstSequence, window] = [1, 0xfff0];

export const udpFrames = ({ flights }: WireTrace, ends: FrameEnds): Frame[] =>
  flights.map(({ at, isAnswer, bytes, comment }) => {
    const head = Buffer.alloc(8);
    head.writeUInt16BE(8 + bytes.length, 4);
    return { at, comment, bytes: frameOf('udp', ends, isAnswer, head, bytes) };
  });

export function tcpFrames({ flights, end, isReset = false }: WireTrace, ends: FrameEnds): Frame[] {
  const connection = new Connection(ends);
  const start = flights[0]?.at ?? end;
  const segment = (at: number, isAnswer: boolean, flag: number) => connection.segment(at, isAnswer, flag);
  const { fin, syn, reset, push, ack } = flags;
  return [
    ...[segment(start, false, syn), segment(start, true, syn | ack), segment(start, false, ack)],
    ...flights.flatMap(({ at, isAnswer, bytes, comment }) =>
      partsOf(bytes).map((part, number) => ({
        ...connection.segment(at, isAnswer, push | ack, part),
        ...(number === 0 && { comment }),
      })),
    ),
    ...(isReset
      ? [segment(end, true, reset | ack)]
      : [segment(end, false, fin | ack), segment(end, true, fin | ack), segment(end, false, ack)]),
  ];
}

/** Keeps the sequence numbers of both sides. */
class Connection {
  readonly #sequence = { client: firstSequence, target: firstSequence };
  readonly #ends: FrameEnds;

  constructor(ends: FrameEnds) {
    this.#ends = ends;
  }

  segment(at: number, isAnswer: boolean, flag: number, payload: Uint8Array = Buffer.alloc(0)): Frame {
    const [own, other] = isAnswer ? (['target', 'client'] as const) : (['client', 'target'] as const);
    const head = Buffer.alloc(20);
    head.writeUInt32BE(this.#sequence[own] >>> 0, 4);
    head.writeUInt32BE(flag === flags.syn ? 0 : this.#sequence[other] >>> 0, 8);
    head.writeUInt16BE((5 << 12) | flag, 12);
    head.writeUInt16BE(window, 14);
    this.#sequence[own] += payload.length + (flag & (flags.syn | flags.fin) ? 1 : 0);
    return { at, bytes: frameOf('tcp', this.#ends, isAnswer, head, payload) };
  }
}

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / largestSegment) }, (_, number) =>
    bytes.subarray(number * largestSegment, (number + 1) * largestSegment),
  );

/** `head` lacks its ports and its checksum. */
function frameOf(
  protocol: keyof typeof protocols,
  { client, target, port }: FrameEnds,
  isAnswer: boolean,
  head: Buffer,
  payload: Uint8Array,
): Buffer {
  const [near, far] = [1, target].map((octet) => Buffer.from([192, 0, 2, octet])) as [Buffer, Buffer];
  const [source, destination] = isAnswer ? [far, near] : [near, far];
  const length = head.length + payload.length;
  head.writeUInt16BE(isAnswer ? port : client, 0);
  head.writeUInt16BE(isAnswer ? client : port, 2);
  const pseudo = Buffer.from([...source, ...destination, 0, protocols[protocol], length >> 8, length & 255]);
  head.writeUInt16BE(checksum(Buffer.concat([pseudo, head, payload])), protocol === 'tcp' ? 16 : 6);
  const ip = Buffer.from([0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, protocols[protocol], 0, 0, ...source, ...destination]);
  ip.writeUInt16BE(20 + length, 2);
  ip.writeUInt16BE(checksum(ip), 10);
  const hardware = [source, destination].map((address) => Buffer.from([2, 0, ...address])) as [Buffer, Buffer];
  return Buffer.concat([hardware[1], hardware[0], Buffer.from([8, 0]), ip, head, payload]);
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
