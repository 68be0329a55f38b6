/** One datagram as a message of CoAP (RFC 7252, clause 3), and back. */

import { generate, parse } from 'coap-packet';

export interface CoapOption {
  /** As RFC 7252 calls it; that of another document by its number. */
  readonly name: string;
  readonly value: Buffer;
}

/** The content of a request or a response, however many messages it takes. */
export interface CoapContent {
  /** Such as `0.02` (POST) and `2.05` (Content). */
  readonly code: string;
  readonly options: readonly CoapOption[];
  readonly payload: Buffer;
  /** How a deviation sends it wrongly, if one does. */
  readonly carried?: string;
}

/** Confirmable, non-confirmable, acknowledgement, reset. */
type MessageType = 'CON' | 'NON' | 'ACK' | 'RST';

export interface CoapMessage extends CoapContent {
  readonly type: MessageType;
  readonly messageId: number;
  readonly token: Buffer;
}

export const nothing = Buffer.alloc(0);
const types = ['CON', 'NON', 'ACK', 'RST'] as const;
/** More than a datagram can hold. */
const anySize = 65_536;

/** Undefined unless it is exactly of the format. */
export function readMessage(datagram: Buffer): CoapMessage | undefined {
  try {
    const packet = parse(datagram);
    const { code, messageId, token, payload } = packet;
    // There is one way to write a message, and the parser accepts truncated ones.
    if (token.length > 8 || !generate(packet, anySize).equals(datagram)) return undefined;
    const type = types[((datagram[0] ?? 0) >> 4) & 3] ?? 'RST';
    const options = packet.options.map(({ name, value }) => ({ name: String(name), value }));
    return { type, code, messageId, token, options, payload };
  } catch {
    return undefined;
  }
}

export function writeMessage({ type, code, messageId, token, options, payload }: CoapMessage): Buffer {
  const flags = { confirmable: type === 'CON', ack: type === 'ACK', reset: type === 'RST' };
  return generate({ ...flags, code, messageId, token, options: [...options], payload }, anySize);
}

/** An empty message: it acknowledges or rejects the one of that identifier. */
export const emptyMessage = (type: 'ACK' | 'RST', messageId: number): Buffer =>
  writeMessage({ type, code: '0.00', messageId, token: nothing, options: [], payload: nothing });

/** The message identifier by which a malformed confirmable datagram is rejected (RFC 7252, clause 4.2). */
export const rejectable = (datagram: Buffer): number | undefined =>
  datagram.length >= 4 && (datagram[0] ?? 0) >> 4 === 0b0100 ? datagram.readUInt16BE(2) : undefined;

export const valuesOf = (options: readonly CoapOption[], option: string): Buffer[] =>
  options.filter(({ name }) => name === option).map(({ value }) => value);

/** In as few octets as it takes (RFC 7252, clause 3.2). */
export function uint(value: number): Buffer {
  const octets: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Buffer.from(octets);
}

export const readUint = (value: Buffer): number => value.reduce((sum, octet) => sum * 256 + octet, 0);

/** The position of a block in a body (RFC 7959, clause 2.2). */
export interface CoapBlock {
  readonly number: number;
  readonly more: boolean;
  /** Octets: 16 to 1,024. */
  readonly size: number;
}

/** Undefined where there is none; throws a RangeError for what cannot be one. */
export function blockIn(options: readonly CoapOption[], name: 'Block1' | 'Block2'): CoapBlock | undefined {
  const [value] = valuesOf(options, name);
  if (value === undefined) return undefined;
  const all = readUint(value);
  if (value.length > 3 || (all & 7) === 7) throw new RangeError(`${name} is no block`);
  return { number: Math.floor(all / 16), more: (all & 8) !== 0, size: 2 ** ((all & 7) + 4) };
}

export const blockOption = (name: 'Block1' | 'Block2', { number, more, size }: CoapBlock): CoapOption => ({
  name,
  value: uint(number * 16 + (more ? 8 : 0) + Math.log2(size) - 4),
});

/** Octets of a block unless the peer requests less. */
export const usualBlock = 1024;
