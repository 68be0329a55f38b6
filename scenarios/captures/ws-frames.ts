/** Frames of WebSocket (RFC 6455, clause 5.2). */

import { PendingBytes } from './pending-bytes.ts';

/** Octets of the longest message that is read. */
const largest = 16 * 1024 * 1024;

/** One message in one frame; clients mask theirs. */
export function wsFrame(text: string, isMasked: boolean): Buffer {
  const payload = Buffer.from(text);
  const mask = isMasked ? 0x80 : 0;
  const { length } = payload;
  const key = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);
  const head = Buffer.from(length < 126 ? [0x81, mask | length] : [0x81, mask | (length < 65_536 ? 126 : 127)]);
  const long = Buffer.alloc(length < 126 ? 0 : length < 65_536 ? 2 : 8);
  if (long.length === 2) long.writeUInt16BE(length);
  if (long.length === 8) long.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([head, long, ...(isMasked ? [key, unmasked(payload, key)] : [payload])]);
}

/** Masking undoes itself. */
export const unmasked = (payload: Buffer, key: Buffer): Buffer =>
  Buffer.from(payload.map((octet, at) => octet ^ (key[at % 4] ?? 0)));

/** By opcode; continuation frames have none (RFC 6455, clause 5.4). */
const frames = new Map([
  [1, 'text'],
  [2, 'binary'],
] as const);

interface WsMessage {
  readonly payload: Buffer;
  readonly frame: 'text' | 'binary';
}

/** Reads messages from the frames of one side; ignores control frames. */
export class WsReader {
  readonly #rest = new PendingBytes();
  #parts: Buffer[] = [];
  #frame: WsMessage['frame'] = 'text';
  /** Compressed, or too long. */
  isUnreadable = false;

  push(bytes: Buffer): WsMessage[] {
    if (!this.#rest.push(bytes)) return [];
    const messages: WsMessage[] = [];
    while (!this.isUnreadable && this.#read(messages));
    return messages;
  }

  /** False if the next frame is incomplete. */
  #read(messages: WsMessage[]): boolean {
    const { bytes } = this.#rest;
    const [first = 0, second = 0] = bytes;
    const short = second & 127;
    const long = short === 126 ? 2 : short === 127 ? 8 : 0;
    const isMasked = (second & 128) !== 0;
    const start = 2 + long + (isMasked ? 4 : 0);
    if (bytes.length < start) return false;
    const length = long === 0 ? short : Number(`0x${bytes.subarray(2, 2 + long).toString('hex')}`);
    this.isUnreadable = length > largest || (first & 0x70) !== 0;
    this.#rest.need(start + length - bytes.length);
    if (this.isUnreadable || bytes.length < start + length) return false;
    const payload = bytes.subarray(start, start + length);
    if ((first & 15) < 8) this.#parts.push(isMasked ? unmasked(payload, bytes.subarray(start - 4, start)) : payload);
    this.#frame = frames.get((first & 15) as 1) ?? this.#frame;
    if ((first & 15) < 8 && (first & 128) !== 0)
      messages.push({ payload: Buffer.concat(this.#parts.splice(0)), frame: this.#frame });
    this.#rest.bytes = bytes.subarray(start + length);
    return true;
  }
}
