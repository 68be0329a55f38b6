/** What a recording says in literals that differ in the next run, and the names that stand for them there. */

/** How a scenario file writes the value of a name. */
export function written(name: string): string {
  return `\${${name}}`;
}

/** Characters that can be part of a name in an address, so that `c1` is not found in `c12`. */
const wordBefore = /[A-Za-z0-9_.~-]$/;
const wordAfter = /^[A-Za-z0-9_.~-]/;

export class Literals {
  readonly #names = new Map<string, string>();
  readonly #used = new Set<string>();

  /** `text` is written as `${name}` from now on; the first name of a text stays. */
  add(text: string, name: string): void {
    // A single letter is found in everything.
    if (text.length > 1 && !this.#names.has(text)) this.#names.set(text, name);
  }

  /** The names that something was replaced by. */
  get used(): ReadonlySet<string> {
    return this.#used;
  }

  /** Every text within a JSON value; keys stay. */
  replacedIn(value: unknown): unknown {
    if (typeof value === 'string') return this.replaced(value);
    if (Array.isArray(value)) return value.map((element) => this.replacedIn(element));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.replacedIn(inner)]));
  }

  /** Longest first, and only whole names. */
  replaced(text: string): string {
    const known = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    const parts: string[] = [];
    let at = 0;
    let from = 0;
    while (at < text.length) {
      const found = known.find((one) => isAt(text, at, one));
      if (found === undefined) {
        at += 1;
        continue;
      }
      const name = this.#names.get(found) ?? '';
      this.#used.add(name);
      parts.push(text.slice(from, at), name);
      at += found.length;
      from = at;
    }
    return [...parts, text.slice(from)].join('');
  }
}

function isAt(text: string, at: number, word: string): boolean {
  if (!text.startsWith(word, at)) return false;
  return !wordBefore.test(text.slice(Math.max(0, at - 1), at)) && !wordAfter.test(text.slice(at + word.length));
}
