import type { HeaderList } from './target.ts';

/** Characters that a terminal acts on or a reader cannot see: control characters, changes of the writing direction. */
const invisible = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A text of the target for sentences: invisible characters as in JSON, such as `\u001b`. */
export function escaped(text: string): string {
  return text.replace(invisible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Copies a text: a slice would keep the whole text in memory. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf8').toString('utf8');
}

/** Longest value shown in a sentence, in characters. */
const longest = 160;

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  const text = escaped(JSON.stringify(value) ?? 'absent');
  return text.length <= longest ? text : `${ownText(text.slice(0, longest))}… (${text.length} characters)`;
}

const secretNames =
  /^(proxy-)?authorization$|^(set-)?cookie$|(^|-)(auth|key|signature)(-|$)|token|secret|passw|api-?key|credential|session/i;
const secretParameters = /^(auth|sig|signature|key)$|token|secret|passw|api[-_]?key|credential|session/i;

/** Whether a header holds a secret. */
export function isSecretHeader(name: string): boolean {
  return secretNames.test(name);
}

/** Whether a query parameter holds a secret. */
export function isSecretParameter(name: string): boolean {
  return secretParameters.test(name);
}

/** Headers for reports and command lines: three asterisks replace secrets. */
export function maskedHeaders(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, value !== '' && isSecretHeader(name) ? '***' : value] as const);
}

/** A request target for reports and command lines: secrets in its query are masked. */
export function maskedPath(path: string): string {
  if (!path.includes('=')) return path;
  return path.replace(/([?&])([^=&#]*)=([^&#]+)/g, (whole, mark: string, name: string) =>
    isSecretParameter(name) ? `${mark}${name}=***` : whole,
  );
}

/** A word for sh: plain where it can be, else in single quotes. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : quoted(text);
}

/** The format of printf(1) that writes exactly these bytes; octal escapes are the only ones that every sh knows. */
export function printfFormat(bytes: Uint8Array): string {
  return quoted(Array.from(bytes, escapedByte).join(''));
}

const named: Readonly<Record<number, string>> = { 13: '\\r', 10: '\\n', 92: '\\\\', 37: '%%' };

function escapedByte(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : undefined;
  return named[byte] ?? plain ?? `\\${byte.toString(8).padStart(3, '0')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
