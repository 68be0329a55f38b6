/** Where things stand in a JSON text, or where it ceases to be one. */
import { endOfString } from '../engine/judging/body.ts';

/** Offsets, in characters. */
interface JsonPlaces {
  /** Of the elements of each list that was asked for, by its path, such as `log.entries`; '' for the whole text. */
  readonly elements: ReadonlyMap<string, readonly number[]>;
  readonly fault?: { readonly at: number; readonly says: string };
}

const mostLevels = 1_000;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\r\n]*/y;

/** Finds the elements of the lists at these paths, and the first character that cannot stand where it does. */
export function placesIn(text: string, lists: readonly string[] = []): JsonPlaces {
  const walk = new Walk(text, new Map(lists.map((path) => [path, []])));
  try {
    walk.whole();
    return { elements: walk.elements };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { elements: walk.elements, fault: { at: error.at, says: error.message } };
  }
}

/** Tells line and column, both from 1, of offsets that grow. */
export function locatorOf(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let [line, start] = [1, 0];
  return (offset) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  };
}

class Fault extends Error {
  readonly at: number;

  constructor(at: number, says: string) {
    super(says);
    this.at = at;
  }
}

class Walk {
  readonly elements: Map<string, number[]>;
  readonly #text: string;
  #at = 0;

  constructor(text: string, elements: Map<string, number[]>) {
    this.#text = text;
    this.elements = elements;
  }

  whole(): void {
    this.#value('', 0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail('nothing more can follow here');
  }

  #value(path: string, level: number): void {
    this.#space();
    if (level > mostLevels) this.#fail(`more than ${mostLevels} levels`);
    const first = this.#text[this.#at];
    if (first === '{') this.#object(path, level);
    else if (first === '[') this.#list(path, level);
    else if (first === '"') this.#string();
    else this.#scalar();
  }

  #object(path: string, level: number): void {
    this.#members('}', () => {
      if (this.#text[this.#at] !== '"') this.#fail('a name in quotation marks is missing');
      const start = this.#at + 1;
      this.#string();
      const name = this.#text.slice(start, this.#at - 1);
      this.#space();
      if (this.#text[this.#at] !== ':') this.#fail('a colon is missing');
      this.#at += 1;
      this.#value(path === '' ? name : `${path}.${name}`, level + 1);
    });
  }

  #list(path: string, level: number): void {
    const known = this.elements.get(path);
    this.#members(']', () => {
      known?.push(this.#at);
      this.#value(`${path}[]`, level + 1);
    });
  }

  #members(end: string, member: () => void): void {
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      this.#space();
      member();
      this.#space();
      const next = this.#text[this.#at];
      if (next !== ',' && next !== end) this.#fail(`a comma or ${end} is missing`);
      this.#at += 1;
      if (next === end) return;
    }
  }

  #string(): void {
    const end = endOfString(this.#text, this.#at);
    if (end === this.#text.length) this.#fail('this text does not end');
    this.#at = end + 1;
  }

  #scalar(): void {
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#text)?.[0];
    if (found === undefined) this.#fail('a value is missing');
    this.#at += found?.length ?? 0;
  }

  #space(): void {
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }

  #fail(says: string): never {
    throw this.#at < this.#text.length
      ? new Fault(this.#at, says)
      : new Fault(this.#text.length, 'it ends in the middle');
  }
}
