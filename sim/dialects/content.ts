/** The body of a create or update: JSON, or the base64 text of a whole JSON document, which becomes a content instance. */
import type { Operation } from '../core/primitive.ts';
import { BAD_REQUEST, CseError } from '../core/status.ts';
import { readJson } from './strict-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function readContent(body: Uint8Array, operation: Operation): unknown {
  if (body.length === 0) throw new CseError(BAD_REQUEST, `A ${operation} needs a body.`);
  const text = decodeUtf8(body);
  if (text === undefined) throw new CseError(BAD_REQUEST, 'The body is not UTF-8.');
  const json = readJson(text);
  if ('value' in json && typeof json.value === 'object') return json.value;
  const instance = operation === 'create' ? readBase64Document(text) : undefined;
  if (instance !== undefined) return instance;
  throw new CseError(BAD_REQUEST, 'problem' in json ? json.problem : 'The body must be a JSON object.');
}

/** Line breaks, as command-line encoders put them, are not part of the text. */
function readBase64Document(text: string): unknown {
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
