/** Segments of TCP (RFC 9293) and datagrams of UDP in the packets of a capture. */

import type { Packet } from './packets.ts';

export interface Segment {
  readonly packet: Packet;
  readonly protocol: 'tcp' | 'udp';
  /** As in a URL: `192.0.2.1:80`, `[2001:db8::1]:80`. */
  readonly from: string;
  readonly to: string;
  readonly payload: Buffer;
  /** Of TCP. */
  readonly sequence: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isReset: boolean;
}

/** Undefined for other protocols, fragments and truncated packets. */
export function segmentIn(packet: Packet): Segment | undefined {
  try {
    const internet = internetIn(packet);
    const whole = internet && (internet[0] ?? 0) >> 4 === 6 ? fromV6(internet) : internet && fromV4(internet);
    return whole && transported(packet, whole);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Octets before the Internet layer, by the type of the link layer. */
const heads: ReadonlyMap<number, number> = new Map([
  ...[0, 108].map((link) => [link, 4] as const),
  ...[12, 14, 101, 228, 229].map((link) => [link, 0] as const),
  ...[[113, 16] as const, [276, 20] as const],
]);
const ethernet = 1;
const tags: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100]);

function internetIn({ link, bytes }: Packet): Buffer | undefined {
  let at = heads.get(link) ?? 14;
  if (link !== ethernet && !heads.has(link)) return undefined;
  while (link === ethernet && tags.has(bytes.readUInt16BE(at - 2))) at += 4;
  const internet = bytes.subarray(at);
  const version = (internet[0] ?? 0) >> 4;
  return version === 4 || version === 6 ? internet : undefined;
}

interface Internet {
  readonly protocol: number;
  readonly from: string;
  readonly to: string;
  readonly content: Buffer;
}

function fromV4(bytes: Buffer): Internet | undefined {
  const head = ((bytes[0] ?? 0) & 15) * 4;
  // Zero with segmentation offload.
  const length = bytes.readUInt16BE(2) || bytes.length;
  if (head < 20 || (bytes.readUInt16BE(6) & 0x3fff) !== 0) return undefined;
  const address = (at: number) => [...bytes.subarray(at, at + 4)].join('.');
  return { protocol: bytes.readUInt8(9), from: address(12), to: address(16), content: bytes.subarray(head, length) };
}

/** Extension headers with a length (RFC 8200, clause 4). */
const extensions: ReadonlySet<number> = new Set([0, 43, 60]);

function fromV6(bytes: Buffer): Internet | undefined {
  if (bytes.length < 40) return undefined;
  const length = bytes.readUInt16BE(4) || bytes.length;
  let [protocol, at] = [bytes.readUInt8(6), 40];
  while (extensions.has(protocol)) [protocol, at] = [bytes.readUInt8(at), at + (bytes.readUInt8(at + 1) + 1) * 8];
  const address = (start: number) =>
    new URL(
      `http://[${bytes
        .subarray(start, start + 16)
        .toString('hex')
        .replace(/(.{4})(?!$)/g, '$1:')}]`,
    ).hostname;
  return { protocol, from: address(8), to: address(24), content: bytes.subarray(at, 40 + length) };
}

function transported(packet: Packet, { protocol, from, to, content }: Internet): Segment | undefined {
  if (protocol !== 6 && protocol !== 17) return undefined;
  const ends = { from: `${from}:${content.readUInt16BE(0)}`, to: `${to}:${content.readUInt16BE(2)}` };
  if (protocol === 17) {
    const payload = content.subarray(8, content.readUInt16BE(4) || content.length);
    return { packet, protocol: 'udp', ...ends, payload, sequence: 0, isFirst: false, isLast: false, isReset: false };
  }
  const flags = content.readUInt8(13);
  const payload = content.subarray((content.readUInt8(12) >> 4) * 4);
  const marks = { isFirst: (flags & 2) !== 0, isLast: (flags & 1) !== 0, isReset: (flags & 4) !== 0 };
  return { packet, protocol: 'tcp', ...ends, payload, sequence: content.readUInt32BE(4), ...marks };
}
