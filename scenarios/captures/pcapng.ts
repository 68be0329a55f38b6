/** Writes a run as a packet capture in pcapng format (draft-ietf-opsawg-pcapng) for Wireshark. */

import type { RunResult } from '../engine/results/result.ts';
import { exportedOf } from './exported.ts';
import { type Frame, tcpFrames, udpFrames } from './frames.ts';
import { tracesOf } from './wire-traces.ts';

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
