/** Words of a command line that are written as curl wants them. */
import { existsSync } from 'node:fs';
import { UsageError } from '../scenarios/words.ts';

/** As curl reads it: the passphrase stands behind the first colon, unless a backslash stands before that. */
export function splitPassphrase(text: string): { readonly file: string; readonly passphrase?: string } {
  if (existsSync(text)) return { file: text };
  // The colon behind the letter of a drive is part of the path.
  const from = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0;
  const rest = text.slice(from);
  const at = [...rest.matchAll(/\\.|:/g)].find(([sign]) => sign === ':')?.index;
  const file = text.slice(0, from) + rest.slice(0, at).replace(/\\([:\\])/g, '$1');
  return at === undefined ? { file } : { file, passphrase: rest.slice(at + 1) };
}

const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'expect']);

export interface Headers {
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly originator: string | undefined;
}

/** The originator may be given as its header, as one would tell curl. */
export function headersOf(lines: readonly string[], originator: string | undefined): Headers {
  const all = lines.map(parseHeader);
  const isOrigin = ([name]: readonly [string, string]) => name.toLowerCase() === 'x-m2m-origin';
  const origins = new Set([...all.filter(isOrigin).map(([, value]) => value), ...(originator ? [originator] : [])]);
  if (origins.size > 1) throw new UsageError(`there is more than one originator: ${[...origins].join(', ')}`);
  return { headers: all.filter((one) => !isOrigin(one)), originator: [...origins][0] };
}

function parseHeader(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name === '' || value.trim() === '') throw new UsageError("a header is written as -H 'Name: value'");
  if (ownHeaders.has(name.toLowerCase())) throw new UsageError(`cselab writes the header ${name} itself`);
  return [name, value.trim()];
}
