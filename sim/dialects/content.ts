/** The body of a request: JSON, CBOR, or the base64 text of a whole JSON document, which becomes a content instance. */
import { BAD_REQUEST, CseError } from '../core/status.ts';
import { readCbor } from './cbor.ts';
import { readJson } from './strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface BodyRules {
  /** How messages call what the body is needed for: `create`. */
  readonly purpose: string;
  readonly format: 'json' | 'cbor';
  readonly takesBase64: boolean;
}

/** The object in the body; a CseError for everything else. */
export function readContent(body: Uint8Array, { purpose, format, takesBase64 }: BodyRules): object {
  if (body.length === 0) throw new CseError(BAD_REQUEST, `A ${purpose} needs a body.`);
  const text = format === 'cbor' ? '' : decodeUtf8(body);
  if (text === undefined) throw new CseError(BAD_REQUEST, 'The body is not UTF-8.');
  const read = format === 'cbor' ? readCbor(body) : readJson(text);
  if ('value' in read && typeof read.value === 'object' && read.value !== null) return read.value;
  const instance = takesBase64 ? readBase64Document(text) : undefined;
  if (instance !== undefined) return instance;
  throw new CseError(BAD_REQUEST, 'problem' in read ? read.problem : 'The body must be an object.');
}

/** Line breaks, as command-line encoders put them, are not part of the text. */
function readBase64Document(text: string): object | undefined {
  const encoded = text.replace(/[\r\n]+/g, '').trim();
  if (encoded === '' || !base64.test(encoded)) return undefined;
  const document = decodeUtf8(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  if (document === undefined || 'problem' in readJson(document)) {
    throw new CseError(BAD_REQUEST, 'The body is base64 text, but what it encodes is not a JSON document.');
  }
  return { 'm2m:cin': { con: encoded, cnf: 'application/json:1' } };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
