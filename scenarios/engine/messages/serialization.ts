/**
 * Serializations of messages (TS-0004, clause 8): the harness uses JSON, which is converted here to and from CBOR on the wire.
 * Shares no code with the simulator, so that no error of it excuses itself.
 */

import { decode, encode } from 'cborg';
import type { Serialization } from '../grammar/dialects.ts';
import type { RequestMessage } from './target.ts';

export const serializationOf = (mediaType = ''): Serialization => (/^[^;]*\bcbor\b/i.test(mediaType) ? 'cbor' : 'json');

/** The value must be a JSON value. Floating point numbers are not shortened to 16 bits, and members keep their order. */
export const serialize = (value: unknown, serialization: Serialization): Buffer =>
  Buffer.from(serialization === 'cbor' ? encode(value, { float64: true, mapSorter: () => 0 }) : JSON.stringify(value));

/** Octets shown of unreadable content. */
const mostOctets = 4096;

/** A body as text, CBOR as equivalent JSON. Invalid CBOR is shown as octets in the notation of RFC 8949, clause 8: `h'7b7d'`. */
export function textIn(body: Uint8Array, mediaType: string | undefined): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (body.length === 0 || serializationOf(mediaType) === 'json') return bytes.toString('utf8');
  try {
    const value = decode(bytes, { allowUndefined: false, allowInfinity: false, allowNaN: false });
    // Values that JSON lacks; a number that is too large becomes a double, as in JSON.
    return JSON.stringify(value, (_name, inner: unknown) => {
      if (inner instanceof Uint8Array) return octets(inner);
      return typeof inner === 'bigint' ? Number(inner) : inner;
    });
  } catch {
    return octets(bytes);
  }
}

/** The serialization of a primitive or its content: no UTF-8 text begins with the first octet of a CBOR object. */
export const serializationIn = (content: Uint8Array): Serialization => ((content[0] ?? 0) >> 5 === 5 ? 'cbor' : 'json');

/** The same as text. */
export const contentText = (content: Uint8Array): string => textIn(content, `application/${serializationIn(content)}`);

/** The body of a request, likewise. */
export const bodyText = ({ headers, body = new Uint8Array(0) }: Pick<RequestMessage, 'headers' | 'body'>): string =>
  textIn(body, headers.find(([name]) => /^content-type$/i.test(name))?.[1]);

const octets = (bytes: Uint8Array): string =>
  `h'${Buffer.from(bytes.subarray(0, mostOctets)).toString('hex')}'${bytes.length > mostOctets ? `… (${bytes.length} bytes)` : ''}`;
