/**
 * In which serialization messages go (TS-0004, clause 8): the harness writes and reads JSON, and what goes over a wire in CBOR is made of it
 * and read as it here. Nothing of this is shared with the simulator, so that no mistake of it excuses itself.
 */

import { decode, encode } from 'cborg';
import type { Serialization } from '../grammar/dialects.ts';
import type { RequestMessage } from './target.ts';

export const serializationOf = (mediaType = ''): Serialization => (/^[^;]*\bcbor\b/i.test(mediaType) ? 'cbor' : 'json');

/** The value must be one that JSON can say. Floating point numbers are not shortened to 16 bits, and members stay in their order. */
export const serialize = (value: unknown, serialization: Serialization): Buffer =>
  Buffer.from(serialization === 'cbor' ? encode(value, { float64: true, mapSorter: () => 0 }) : JSON.stringify(value));

/** Octets that are shown of what is not read. */
const mostOctets = 4096;

/** A body as text, CBOR as the JSON that says the same. What is said to be CBOR and is none is shown as RFC 8949, clause 8, writes octets: `h'7b7d'`. */
export function textIn(body: Uint8Array, mediaType: string | undefined): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (body.length === 0 || serializationOf(mediaType) === 'json') return bytes.toString('utf8');
  try {
    const value = decode(bytes, { allowUndefined: false, allowInfinity: false, allowNaN: false });
    return JSON.stringify(value, (_name, inner) => toJsonValue(inner));
  } catch {
    return octets(bytes);
  }
}

/** The serialization of a primitive, or of its content: an object in CBOR begins with an octet that no text in UTF-8 begins with. */
export const serializationIn = (content: Uint8Array): Serialization => ((content[0] ?? 0) >> 5 === 5 ? 'cbor' : 'json');

/** The same as text. */
export const contentText = (content: Uint8Array): string => textIn(content, `application/${serializationIn(content)}`);

/** The body of a request, likewise. */
export const bodyText = ({ headers, body = new Uint8Array(0) }: Pick<RequestMessage, 'headers' | 'body'>): string =>
  textIn(body, headers.find(([name]) => /^content-type$/i.test(name))?.[1]);

const octets = (bytes: Uint8Array): string =>
  `h'${Buffer.from(bytes.subarray(0, mostOctets)).toString('hex')}'${bytes.length > mostOctets ? `… (${bytes.length} bytes)` : ''}`;

/** What JSON has no word for; a number that is too large is read as one in JSON is. */
function toJsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return octets(value);
  return typeof value === 'bigint' ? Number(value) : value;
}
