import { keyOf } from './held.ts';

/** Places of which nobody can tell any more what stands there, if anything does. */
export class Unclear {
  readonly #keys = new Set<string>();

  add(names: readonly string[]): void {
    this.#keys.add(keyOf(names));
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Something new stands there, and nothing below it. */
  settle(names: readonly string[]): void {
    const above = `${keyOf(names).slice(0, -1)},`;
    for (const one of this.#keys) if (one.startsWith(above)) this.#keys.delete(one);
  }
}
