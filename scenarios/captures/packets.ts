/** Reads captures of libpcap (draft-ietf-opsawg-pcap) and pcapng (draft-ietf-opsawg-pcapng). */

import { UsageError } from '../engine/basics/diagnostics.ts';

export interface Packet {
  /** Counts from 1, as in Wireshark. */
  readonly number: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Type of its link layer (draft-ietf-opsawg-pcaplinktype). */
  readonly link: number;
  readonly bytes: Buffer;
  /** The URL in the description of its interface: that of the CSE, in exported runs. */
  readonly url?: string | undefined;
}

/** The first four octets, in either byte order. */
const magic = { section: '0a0d0d0a', pcap: ['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1'] } as const;
const blocks = { section: 0x0a0d0d0a, interface: 1, former: 2, simple: 3, enhanced: 6 } as const;

export function isCapture(beginning: Uint8Array): boolean {
  const start = Buffer.from(beginning.subarray(0, 4)).toString('hex');
  return start === magic.section || magic.pcap.some((one) => one === start);
}

/** Throws a UsageError with the number of an invalid packet. */
export function packetsIn(bytes: Buffer, file: string): Generator<Packet> {
  const isSections = bytes.subarray(0, 4).toString('hex') === magic.section;
  return isSections ? new Sections(bytes, file).packets() : pcapPackets(new Reader(bytes, file));
}

/** Reads numbers in either byte order; errors name the packet. */
class Reader {
  readonly bytes: Buffer;
  readonly #file: string;
  isLittle = true;
  count = 0;

  constructor(bytes: Buffer, file: string) {
    this.bytes = bytes;
    this.#file = file;
  }

  part(at: number, length: number): Buffer {
    if (at + length > this.bytes.length) throw this.error('the file ends in the middle of it');
    return this.bytes.subarray(at, at + length);
  }

  u16(at: number): number {
    const part = this.part(at, 2);
    return this.isLittle ? part.readUInt16LE() : part.readUInt16BE();
  }

  u32(at: number): number {
    const part = this.part(at, 4);
    return this.isLittle ? part.readUInt32LE() : part.readUInt32BE();
  }

  error(says: string): UsageError {
    return new UsageError(`${this.#file}: packet ${this.count + 1}: ${says}`);
  }
}

function* pcapPackets(reader: Reader): Generator<Packet> {
  const start = reader.part(0, 4).toString('hex');
  reader.isLittle = start.startsWith('d4') || start.startsWith('4d');
  const perSecond = start.includes('3c') ? 1_000_000_000n : 1_000_000n;
  const link = reader.u32(20) & 0x0fff_ffff;
  for (let at = 24; at < reader.bytes.length; ) {
    const ticks = BigInt(reader.u32(at)) * perSecond + BigInt(reader.u32(at + 4));
    const length = reader.u32(at + 8);
    const bytes = reader.part(at + 16, length);
    at += 16 + length;
    yield { number: ++reader.count, at: timeOf(ticks, perSecond), link, bytes };
  }
}

interface Interface {
  readonly link: number;
  readonly perSecond: bigint;
  /** Seconds. */
  readonly offset: number;
  readonly url: string | undefined;
}

class Sections {
  readonly #reader: Reader;
  #interfaces: Interface[] = [];

  constructor(bytes: Buffer, file: string) {
    this.#reader = new Reader(bytes, file);
  }

  *packets(): Generator<Packet> {
    const reader = this.#reader;
    for (let at = 0, last = 0; at < reader.bytes.length; ) {
      const isSection = reader.part(at, 4).readUInt32LE() === blocks.section;
      if (isSection) this.#begin(at);
      const [type, length] = [reader.u32(at), reader.u32(at + 4)];
      if (length < 12 || length % 4 !== 0) throw reader.error(`a block has the length ${length}`);
      const end = at + reader.part(at, length).length - 4;
      if (type === blocks.interface) this.#interfaces.push(this.#interface(at + 8, end));
      const packet = this.#packet(type, at + 8, end, last);
      at = end + 4;
      if (packet === undefined) continue;
      last = packet.at;
      yield packet;
    }
  }

  #begin(at: number): void {
    const order = this.#reader.part(at + 8, 4).toString('hex');
    if (order !== '1a2b3c4d' && order !== '4d3c2b1a') throw this.#reader.error('a section has no order of octets');
    this.#reader.isLittle = order === '4d3c2b1a';
    this.#interfaces = [];
  }

  #interface(at: number, end: number): Interface {
    const reader = this.#reader;
    const options = new Map<number, Buffer>();
    for (let next = at + 8; next + 4 <= end; ) {
      const [code, length] = [reader.u16(next), reader.u16(next + 2)];
      if (code === 0 || next + 4 + length > end) break;
      options.set(code, reader.part(next + 4, length));
      next += 4 + length + (-length & 3);
    }
    const resolution = options.get(9)?.[0] ?? 6;
    const perSecond = resolution > 127 ? 2n ** BigInt(resolution & 127) : 10n ** BigInt(resolution);
    const offset = options.get(14);
    const seconds = offset?.length === 8 ? (reader.isLittle ? offset.readBigInt64LE() : offset.readBigInt64BE()) : 0n;
    const says = options.get(3)?.toString('utf8') ?? '';
    const url = /^\w+:\/\//.test(says) && URL.canParse(says) ? says : undefined;
    return { link: reader.u16(at), perSecond, offset: Number(seconds), url };
  }

  #packet(type: number, at: number, end: number, last: number): Packet | undefined {
    const reader = this.#reader;
    const isSimple = type === blocks.simple;
    if (!isSimple && type !== blocks.enhanced && type !== blocks.former) return undefined;
    const which = isSimple ? 0 : type === blocks.former ? reader.u16(at) : reader.u32(at);
    const from = this.#interfaces[which];
    if (from === undefined) throw reader.error(`there is no interface ${which}`);
    const { link, perSecond, offset, url } = from;
    const data = at + (isSimple ? 4 : 20);
    const length = isSimple ? Math.min(reader.u32(at), end - data) : reader.u32(at + 12);
    if (length < 0 || data + length > end) throw reader.error('it is longer than its block');
    // A packet without a time follows the previous one.
    const ticks = isSimple ? 0n : (BigInt(reader.u32(at + 4)) << 32n) | BigInt(reader.u32(at + 8));
    const time = isSimple ? last : timeOf(ticks, perSecond) + offset * 1000;
    if (!(Math.abs(time) <= latest)) throw reader.error('its time is none');
    return { number: ++reader.count, at: time, link, bytes: reader.part(data, length), url };
  }
}

/** The latest date of JavaScript, in milliseconds since 1970 UTC. */
const latest = 8.64e15;

/** In milliseconds. */
const timeOf = (ticks: bigint, perSecond: bigint): number =>
  Number(ticks / perSecond) * 1000 + Number(((ticks % perSecond) * 1_000_000_000n) / perSecond) / 1_000_000;
