/** The JSON of one resource, written straight from the table of its kind: cheaper than an object that is serialised after. */
import type { AttributeType, Value } from './attribute-types.ts';
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

/** The JSON value of a content, written already or not. */
export function jsonOf(content: unknown): unknown {
  return content instanceof JsonText ? content.toJSON() : content;
}

/** The same as text. */
export function textOf(content: unknown): string {
  return content instanceof JsonText ? content.text : JSON.stringify(content);
}

/** What a content shows below its root key; nothing where there is no such thing. */
export function attributesBelowRoot(content: unknown): Readonly<Record<string, unknown>> {
  const [shown] = Object.values(Object(jsonOf(content)) as object);
  return (typeof shown === 'object' && shown) || {};
}

/** `{"m2m:cnt":{…}}`: first what every resource of the kind has, then what this one has of its own. */
export function representation(resource: Resource, dialect: Dialect): JsonText {
  const { values, type } = resource;
  let text = type.opening;
  for (const { key, type: attributeType, from } of type.derived) {
    const value = from(resource);
    if (value !== undefined) text += key + json(attributeType, value, dialect);
  }
  for (const name in values) {
    const entry = type.own.get(name);
    const value = values[name];
    if (entry !== undefined && value !== undefined) text += entry.key + json(entry.type, value, dialect);
  }
  return new JsonText(`${text}}}`);
}

/** `{"m2m:uril":[…]}` of addresses that have `prefix` in common; behind it they are percent-encoded or identifiers. */
export function addressList(prefix: string, addresses: readonly string[]): JsonText {
  if (addresses.length === 0) return new JsonText('{"m2m:uril":[]}');
  const opening = quote(prefix).slice(0, -1);
  return new JsonText(`{"m2m:uril":[${opening}${addresses.join(`",${opening}`)}"]}`);
}

function json(type: AttributeType, value: Value, dialect: Dialect): string {
  const written = dialect.write(type, value);
  if (typeof written === 'number') return String(written);
  if (typeof written !== 'string') return JSON.stringify(written);
  // No dialect writes a time with anything that JSON escapes.
  return type === 'timestamp' ? `"${written}"` : quote(written);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what JSON escapes
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`;
}
