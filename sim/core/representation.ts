/** The JSON of one resource, written straight from the table of its kind: cheaper than an object that is serialised after. */
import type { Dialect } from './dialect.ts';
import type { Resource } from './resource.ts';

/** JSON that is written already. Serialised as part of something else it is the value that it stands for. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** `{"m2m:cnt":{…}}` */
export function representation(resource: Resource, dialect: Dialect): JsonText {
  let text = `{${quote(resource.type.root)}:`;
  let before = '{';
  for (const { name, key, definition } of resource.type.entries) {
    const value = definition.from === undefined ? resource.values[name] : definition.from(resource);
    const written = dialect.write(definition.type, value);
    if (written === undefined) continue;
    text += before + key + json(written);
    before = ',';
  }
  return new JsonText(`${text}}}`);
}

/** `{"m2m:uril":[…]}` of addresses that have `prefix` in common; behind it they are percent-encoded or identifiers. */
export function addressList(prefix: string, addresses: readonly string[]): JsonText {
  if (addresses.length === 0) return new JsonText('{"m2m:uril":[]}');
  const opening = quote(prefix).slice(0, -1);
  return new JsonText(`{"m2m:uril":[${opening}${addresses.join(`",${opening}`)}"]}`);
}

function json(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what JSON escapes
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}
