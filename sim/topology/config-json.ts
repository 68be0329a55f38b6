/**
 * JSON with the place of every value (RFC 8259). JSON.parse says of an error only sometimes where it is, and of a value never;
 * a YAML parser knows places, but takes what is no JSON.
 */
import type { Range } from './config-problem.ts';

export type JsonNode = Range &
  (
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'flag'; readonly value: boolean }
    | { readonly kind: 'null' }
    | { readonly kind: 'list'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  );
export type JsonOf<Kind extends JsonNode['kind']> = Extract<JsonNode, { kind: Kind }>;

export interface JsonMember {
  readonly key: JsonOf<'text'>;
  readonly value: JsonNode;
}

/** The first place from which on a text is no JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
  readonly range: Range;

  constructor(range: Range, message: string) {
    super(message);
    this.range = range;
  }
}

/** Levels of objects and lists in one another; it bounds the recursion. */
const deepestNesting = 64;

const space = /[ \t\n\r]*/y;
/** What stands up to the next space or sign of JSON. */
const word = /[^ \t\n\r,:[\]{}"]*/y;
/** A string up to where it ends, or is none any more. */
const text = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy;

/** `repeated` are keys that stood in the same object before. Throws NotJson. */
export function parseJson(source: string) {
  const parser = new Parser(source);
  return { root: parser.document(), repeated: parser.repeated };
}

class Parser {
  readonly repeated: JsonOf<'text'>[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  document(): JsonNode {
    const root = this.#value(0);
    if (this.#next() !== '') throw this.#unexpected('the end of the file');
    return root;
  }

  #value(depth: number): JsonNode {
    const sign = this.#next();
    const from = this.#at;
    if (depth > deepestNesting) {
      throw new NotJson(this.#here(1), `objects and lists are nested deeper than ${deepestNesting} levels`);
    }
    if (sign === '"') return this.#string();
    if (sign === '[') {
      const items = this.#several(']', () => this.#value(depth + 1));
      return { kind: 'list', items, from, to: this.#at };
    }
    if (sign !== '{') return this.#simple();
    const members = this.#several('}', () => this.#member(depth + 1));
    const keys = new Set<string>();
    for (const { key } of members) if (keys.size === keys.add(key.value).size) this.repeated.push(key);
    return { kind: 'object', members, from, to: this.#at };
  }

  /** What stands between commas up to the closing sign. */
  #several<Item>(close: string, item: () => Item): Item[] {
    this.#at++;
    const items: Item[] = [];
    if (this.#takes(close)) return items;
    do {
      if (this.#next() === close) throw new NotJson(this.#here(1), `no comma may stand before "${close}"`);
      items.push(item());
    } while (this.#takes(','));
    if (this.#takes(close)) return items;
    throw this.#unexpected(`a comma or "${close}"`);
  }

  #member(depth: number): JsonMember {
    if (this.#next() !== '"') throw this.#unexpected('a key in double quotes');
    const key = this.#string();
    if (!this.#takes(':')) throw this.#unexpected('a colon after the key');
    return { key, value: this.#value(depth) };
  }

  #string(): JsonOf<'text'> {
    const from = this.#at;
    this.#at = this.#after(text);
    if (this.#source[this.#at] !== '"') throw brokenString(this.#source, from, this.#at);
    const range = { from, to: ++this.#at };
    const value = JSON.parse(this.#source.slice(from, this.#at)) as string;
    if (value.isWellFormed()) return { kind: 'text', value, ...range };
    throw new NotJson(range, 'this string has half of a surrogate pair');
  }

  #simple(): JsonNode {
    const range = { from: this.#at, to: this.#after(word) };
    const found = this.#source.slice(range.from, range.to);
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found);
    if (!isNumber && !['null', 'true', 'false'].includes(found)) throw this.#unexpected('a value');
    this.#at = range.to;
    if (isNumber) return { kind: 'number', value: Number(found), ...range };
    return found === 'null' ? { kind: 'null', ...range } : { kind: 'flag', value: found === 'true', ...range };
  }

  #unexpected(expected: string): NotJson {
    const sign = this.#next();
    const found = this.#source.slice(this.#at, this.#after(word)) || sign;
    if (found !== '') return new NotJson(this.#here(found.length), `expected ${expected}${hintFor(found)}`);
    this.#at = this.#source.trimEnd().length;
    return new NotJson(this.#here(0), `the file ends where ${expected} is expected`);
  }

  #here(length: number): Range {
    return { from: this.#at, to: this.#at + length };
  }

  /** The offset after what has this form here. */
  #after(form: RegExp): number {
    form.lastIndex = this.#at;
    form.test(this.#source);
    return form.lastIndex;
  }

  #next(): string {
    this.#at = this.#after(space);
    return this.#source[this.#at] ?? '';
  }

  #takes(sign: string): boolean {
    const taken = this.#next() === sign;
    if (taken) this.#at++;
    return taken;
  }
}

function brokenString(source: string, from: number, at: number): NotJson {
  const found = source[at];
  if (found === undefined || found === '\n' || found === '\r') {
    return new NotJson({ from, to: at }, 'this string has no closing quote');
  }
  return found === '\\'
    ? new NotJson({ from: at, to: at + 2 }, 'JSON has no such escape')
    : new NotJson({ from: at, to: at + 1 }, 'a control character in a string must be written as an escape');
}

/** What people most often write instead. */
function hintFor(found: string): string {
  if (found.startsWith('\u{feff}')) return '; this is a byte order mark, which JSON does not have';
  if (/^(?:\/\/|\/\*|#)/.test(found)) return '; JSON has no comments';
  if (/^['`“”]/.test(found)) return '; JSON has double quotes only';
  if (/^(?:true|false|null)$/i.test(found)) return `; it is written ${found.toLowerCase()}`;
  return found === 'None' ? '; it is written null' : '';
}
