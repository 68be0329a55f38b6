/** What a recording says in literals that differ in the next run, and the names that stand for them there. */

import { withTexts } from '../engine/messages/interpolate.ts';

/** How a scenario file writes the value of a name. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

/** What can be part of a name in an address, so that `c1` is not found in `c12`. */
const inWord = '[A-Za-z0-9_.~-]';

export class Literals {
  /** The names that something was replaced by. */
  readonly used = new Set<string>();
  readonly #names = new Map<string, string>();
  /** Finds each text that has a name; absent until it is needed. */
  #known: RegExp | undefined;

  /** `text` is written as `${name}` from now on; the first name of a text stays. */
  add(text: string, name: string): void {
    // A single letter is found in everything.
    if (text.length <= 1 || this.#names.has(text)) return;
    this.#names.set(text, name);
    this.#known = undefined;
  }

  /** Every text within a JSON value; keys stay. */
  replacedIn(value: unknown): unknown {
    return withTexts(value, (text) => this.replaced(text));
  }

  /** Longest first, and only whole names. */
  replaced(text: string): string {
    if (this.#names.size === 0) return text;
    this.#known ??= anyOf([...this.#names.keys()]);
    return text.replace(this.#known, (found) => {
      const name = this.#names.get(found) ?? '';
      this.used.add(name);
      return name;
    });
  }
}

/** The step with those of these captures, by their names, that something was replaced by. */
export function withCaptures(
  step: object,
  captures: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
): object {
  const needed = Object.entries(captures).filter(([name]) => used.has(placeholder(name)));
  return needed.length === 0 ? step : { ...step, capture: Object.fromEntries(needed) };
}

function anyOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const exact = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`(?<!${inWord})(?:${exact.join('|')})(?!${inWord})`, 'g');
}
