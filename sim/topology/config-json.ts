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
type JsonText = Extract<JsonNode, { kind: 'text' }>;
type JsonList = Extract<JsonNode, { kind: 'list' }>;
export type JsonObject = Extract<JsonNode, { kind: 'object' }>;

export interface JsonMember {
  readonly key: JsonText;
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

/** `repeated` are keys that stood in the same object before. Throws NotJson. */
export function parseJson(text: string): { readonly root: JsonNode; readonly repeated: readonly JsonText[] } {
  const parser = new Parser(text);
  const root = parser.document();
  return { root, repeated: parser.repeated };
}

class Parser {
  readonly repeated: JsonText[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const root = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file');
    return root;
  }

  #value(depth: number): JsonNode {
    this.#skipSpace();
    if (depth > deepestNesting) {
      throw new NotJson(this.#here(1), `objects and lists are nested deeper than ${deepestNesting} levels`);
    }
    const next = this.#text[this.#at];
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#list(depth);
    return next === '"' ? this.#string() : this.#word();
  }

  #object(depth: number): JsonObject {
    const from = this.#at++;
    const members: JsonMember[] = [];
    const keys = new Set<string>();
    if (!this.#takes('}')) {
      do {
        const key = this.#key();
        if (keys.has(key.value)) this.repeated.push(key);
        keys.add(key.value);
        if (!this.#takes(':')) throw this.#unexpected('a colon after the key');
        members.push({ key, value: this.#value(depth + 1) });
      } while (this.#takes(','));
      if (!this.#takes('}')) throw this.#unexpected('a comma or "}"');
    }
    return { kind: 'object', members, from, to: this.#at };
  }

  #key(): JsonText {
    this.#skipSpace();
    if (this.#text[this.#at] === '"') return this.#string();
    if (this.#text[this.#at] === '}') throw new NotJson(this.#here(1), 'no comma may stand before "}"');
    throw this.#unexpected('a key in double quotes');
  }

  #list(depth: number): JsonList {
    const from = this.#at++;
    const items: JsonNode[] = [];
    if (!this.#takes(']')) {
      do {
        if (items.length > 0 && this.#sees(']')) throw new NotJson(this.#here(1), 'no comma may stand before "]"');
        items.push(this.#value(depth + 1));
      } while (this.#takes(','));
      if (!this.#takes(']')) throw this.#unexpected('a comma or "]"');
    }
    return { kind: 'list', items, from, to: this.#at };
  }

  #string(): JsonText {
    const from = this.#at++;
    while (this.#text[this.#at] !== '"') {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code === 0x0a || code === 0x0d) {
        throw new NotJson({ from, to: this.#at }, 'this string has no closing quote');
      }
      if (code < 0x20) throw new NotJson(this.#here(1), 'a control character in a string must be written as an escape');
      this.#at += code === 0x5c ? this.#escapeLength() : 1;
    }
    const range = { from, to: ++this.#at };
    const value = JSON.parse(this.#text.slice(from, this.#at)) as string;
    if (!value.isWellFormed()) throw new NotJson(range, 'this string has half of a surrogate pair');
    return { kind: 'text', value, ...range };
  }

  #escapeLength(): number {
    const known = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(this.#text.slice(this.#at, this.#at + 6))?.[0];
    if (known !== undefined) return known.length;
    throw new NotJson(this.#here(2), 'JSON has no such escape');
  }

  #word(): JsonNode {
    const word = this.#wordHere();
    const from = this.#at;
    this.#at += word.length;
    const range = { from, to: this.#at };
    if (word === 'null') return { kind: 'null', ...range };
    if (word === 'true' || word === 'false') return { kind: 'flag', value: word === 'true', ...range };
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) {
      return { kind: 'number', value: Number(word), ...range };
    }
    this.#at = from;
    throw this.#unexpected('a value');
  }

  /** What stands here up to the next space or sign of JSON. */
  #wordHere(): string {
    const end = /[ \t\n\r,:[\]{}"]/g;
    end.lastIndex = this.#at;
    return this.#text.slice(this.#at, end.exec(this.#text)?.index ?? this.#text.length);
  }

  #unexpected(expected: string): NotJson {
    this.#skipSpace();
    const word = this.#wordHere();
    const found = word || (this.#text[this.#at] ?? '');
    if (found !== '') return new NotJson(this.#here(found.length), `expected ${expected}${hintFor(found)}`);
    this.#at = this.#text.trimEnd().length;
    return new NotJson(this.#here(0), `the file ends where ${expected} is expected`);
  }

  #here(length: number): Range {
    return { from: this.#at, to: this.#at + length };
  }

  #sees(sign: string): boolean {
    this.#skipSpace();
    return this.#text[this.#at] === sign;
  }

  #takes(sign: string): boolean {
    const taken = this.#sees(sign);
    if (taken) this.#at++;
    return taken;
  }

  #skipSpace(): void {
    const rest = /[^ \t\n\r]/g;
    rest.lastIndex = this.#at;
    this.#at = rest.exec(this.#text)?.index ?? this.#text.length;
  }
}

/** What people most often write instead. */
function hintFor(found: string): string {
  if (found.startsWith('\u{feff}')) return '; this is a byte order mark, which JSON does not have';
  if (/^(?:\/\/|\/\*|#)/.test(found)) return '; JSON has no comments';
  if (/^['`“”]/.test(found)) return '; JSON has double quotes only';
  if (/^(?:true|false|null)$/i.test(found)) return `; it is written ${found.toLowerCase()}`;
  return found === 'None' ? '; it is written null' : '';
}
