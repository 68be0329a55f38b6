/** CBOR bodies (RFC 8949): one data item that JSON can express too (TS-0004, clause 8.4). */
import { decode, encode, Tokenizer, Type } from 'cborg';
import { deepestNesting, type JsonProblem } from './strict-json.ts';

const options = {
  allowUndefined: false,
  allowBigInt: false,
  allowInfinity: false,
  allowNaN: false,
  rejectDuplicateMapKeys: true,
  retainStringBytes: true,
};

export function readCbor(bytes: Uint8Array): { readonly value: unknown } | JsonProblem {
  let value: unknown;
  try {
    value = decode(bytes, { ...options, tokenizer: new StrictTexts(bytes, options) });
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'The body is nested too deep.' };
    return { problem: `The body is not CBOR: ${error instanceof Error ? error.message : String(error)}.` };
  }
  if (!isShallow(value)) return { problem: `The body is nested deeper than ${deepestNesting} levels.` };
  return hasBytes(value) ? { problem: 'The body has a byte string; write base64 text in its place.' } : { value };
}

/** The value of a body; undefined unless such CBOR. */
export function cborIn(body: Uint8Array): unknown {
  const read = readCbor(body);
  return 'value' in read ? read.value : undefined;
}

/** The value must be expressible in JSON; what JSON leaves out is left out. Floating point numbers are not shortened to 16 bits (TS-0004, clause 8.5). */
export function writeCbor(value: unknown): Uint8Array {
  return encode(JSON.parse(JSON.stringify(value)), { float64: true });
}

/** The library replaces invalid UTF-8; here it is an error, as in JSON. */
class StrictTexts extends Tokenizer {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });

  override next(): ReturnType<Tokenizer['next']> {
    const token = super.next();
    const { type, value, byteValue } = token;
    if (Type.equals(type, Type.string) && String(value).includes('\u{fffd}')) this.#utf8.decode(byteValue);
    return token;
  }
}

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepestNesting) return false;
  return Object.values(value).every((inner) => isShallow(inner, depth + 1));
}

function hasBytes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Uint8Array || Object.values(value).some(hasBytes);
}
