import { leaveOpen } from './changes.ts';
import { type Held, isGone, keepLatest, keyOf } from './held.ts';
import { Unclear } from './unclear.ts';

/** What is held of a CSE, by where it stands. */
export class Places {
  /** By its names; the last that stood there. */
  readonly #held = new Map<string, Held>();
  /** In the order in which they were made; absent once that has changed. */
  #all: readonly Held[] | undefined;
  /** Names of what may be there or not, and may be something else than before. */
  readonly #unclear = new Unclear();

  get all(): readonly Held[] {
    this.#all ??= [...this.#held.values()];
    return this.#all;
  }

  named(names: readonly string[]): Held | undefined {
    return this.#held.get(keyOf(names));
  }

  /** What alone was shown with an identifier. */
  identified(identifier: unknown): Held | undefined {
    const [one, ...others] = this.all.filter(({ shown }) => shown.has('ri') && shown.get('ri') === identifier);
    return others.length === 0 ? one : undefined;
  }

  isUnclear(names: readonly string[]): boolean {
    return this.#unclear.has(keyOf(names));
  }

  add(held: Held): void {
    this.#all = undefined;
    this.#held.set(keyOf(held.names), held);
    this.#unclear.settle(held.names);
    held.parent?.children.push(held);
    keepLatest(this.#held);
  }

  /** Nobody can tell any more what stands there, if anything does, or what is below it, in whatever life of the name it stood there. */
  forget(names: readonly string[]): void {
    const all = this.all;
    this.#all = undefined;
    this.#unclear.add(names);
    const before = this.named(names);
    if (before?.parent !== undefined) leaveOpen(before.parent);
    for (const one of all) {
      if (!names.every((name, at) => one.names[at] === name)) continue;
      one.state = 'doubtful';
      this.#held.delete(keyOf(one.names));
      this.#unclear.add(one.names);
    }
  }

  /** One of what was removed there may be back. */
  forgetGoneBelow(parent: Held | undefined): void {
    const above = parent?.names ?? [];
    const all = this.all;
    this.#all = undefined;
    for (const one of all)
      if (isGone(one) && above.every((name, at) => one.names[at] === name)) this.#held.delete(keyOf(one.names));
  }

  forgetAll(): void {
    this.#all = undefined;
    this.#held.clear();
  }
}
