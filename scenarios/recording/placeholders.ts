/** Literals of a recording that differ in each run, and the names that replace them. */

import { withTexts } from '../engine/messages/interpolate.ts';

/** A name as written in scenario files. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

/** Characters of a name, so that `c1` does not match in `c12`. */
const inWord = '[A-Za-z0-9_.~-]';

export class Literals {
  /** Names that replaced a literal. */
  readonly used = new Set<string>();
  readonly #names = new Map<string, string>();
  /** Matches all texts with a name; absent until needed. */
  #known: RegExp | undefined;

  /** Writes `text` as `name` from now on; the first name of a text stays. */
  add(text: string, name: string): void {
    // A single letter matches everywhere.
    if (text.length <= 1 || this.#names.has(text)) return;
    this.#names.set(text, name);
    this.#known = undefined;
  }

  /** Replaces texts within a JSON value, but not keys. */
  replacedIn(value: unknown): unknown {
    return withTexts(value, (text) => this.replaced(text));
  }

  /** Replaces whole names, the longest first. */
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

/** The step with the captures whose names are used. */
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
