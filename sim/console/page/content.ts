/** The content of an instance as people read it. */

interface Decoded {
  readonly how: string;
  readonly text: string;
  readonly value?: unknown;
}

/** `cnf` is a media type with how it is written: 0 as it is, 1 base64 of text, 2 base64 of bytes. */
export function decoded(con: unknown, cnf?: unknown): Decoded {
  if (typeof con !== 'string') return { how: 'JSON', text: JSON.stringify(con, null, 2) ?? '', value: con };
  const encoding = /:([012])/.exec(String(cnf ?? ''))?.[1];
  const isBase64 = encoding === '1' || encoding === '2';
  const plain = isBase64 ? undefined : json(con);
  if (plain !== undefined) return { how: 'JSON', text: pretty(plain), value: plain };
  const decodes = isBase64 || looksEncoded(con);
  const text = decodes ? textOfBase64(con) : undefined;
  if (text === undefined) return { how: isBase64 ? 'base64 of bytes' : 'text', text: con };
  const inner = json(text);
  // Without an encoding, or where a CSE has set it for the sender, only what is clearly a document is decoded.
  if (inner !== undefined && (isBase64 || typeof inner === 'object'))
    return { how: 'JSON in base64', text: pretty(inner), value: inner };
  return isBase64 ? { how: 'text in base64', text } : { how: 'text', text: con };
}

/** The number that a content is, or the first that a JSON object holds. */
export function numberIn(con: unknown, cnf?: unknown): { readonly value: number; readonly name?: string } | undefined {
  const { text, value } = decoded(con, cnf);
  if (typeof value === 'number') return { value };
  if (value === undefined) return isNumeric(text) ? { value: Number(text) } : undefined;
  if (typeof value !== 'object' || value === null) return isNumeric(value) ? { value: Number(value) } : undefined;
  const found = Object.entries(value).find((entry): entry is [string, number] => typeof entry[1] === 'number');
  return found && { name: found[0], value: found[1] };
}

/** A body as JSON with indents where it is JSON. */
export function bodyText(body: string): string {
  const value = json(body);
  return value === undefined ? body : pretty(value);
}

const isNumeric = (text: unknown): boolean =>
  typeof text === 'string' && text.trim() !== '' && Number.isFinite(Number(text));

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const looksEncoded = (text: string): boolean =>
  text.length >= 8 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** Undefined for what is no JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for bytes that are no text. */
function textOfBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
