import type { Resource } from './resource.ts';

/**
 * Resources in creation order. Adding the newest and taking the first or last take constant time;
 * removing and finding a moment take logarithmic time. Removed slots stay empty until half of them are, then they are dropped.
 */
export class CreationOrder {
  #times: number[] = [];
  #items: (Resource | undefined)[] = [];
  /** All slots before this one are empty. */
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): Resource | undefined {
    while (this.#head < this.#items.length && this.#items[this.#head] === undefined) this.#head++;
    return this.#items[this.#head];
  }

  get last(): Resource | undefined {
    while (this.#items.length > this.#head && this.#items.at(-1) === undefined) {
      this.#items.pop();
      this.#times.pop();
    }
    return this.#items.at(-1);
  }

  add(resource: Resource): void {
    this.#size++;
    const newest = this.#times.at(-1);
    if (newest === undefined || newest < resource.created) {
      this.#times.push(resource.created);
      this.#items.push(resource);
      return;
    }
    const index = this.#indexAfter(resource.created - 1);
    // A slot of the same time can only be the one that this resource left empty.
    const replaced = this.#times[index] === resource.created ? 1 : 0;
    this.#times.splice(index, replaced, resource.created);
    this.#items.splice(index, replaced, resource);
  }

  remove(resource: Resource): void {
    const index = this.#indexAfter(resource.created - 1);
    if (this.#items[index] !== resource) return;
    this.#items[index] = undefined;
    this.#size--;
    if (this.#items.length > 64 && this.#size * 2 < this.#items.length) this.#compact();
  }

  /** How many were created after `after` and before `before`, counting removed slots: an upper bound. */
  countBetween(after: number, before: number): number {
    return Math.max(0, this.#indexAfter(before - 1) - this.#indexAfter(after));
  }

  /** Those created after `after` and before `before` (both excluded), oldest first. */
  *between(after: number, before: number): Generator<Resource> {
    const times = this.#times;
    const items = this.#items;
    for (let index = this.#indexAfter(after); index < times.length; index++) {
      if ((times[index] as number) >= before) return;
      const item = items[index];
      if (item !== undefined) yield item;
    }
  }

  /** At most so many of the newest, oldest first. */
  latest(maximum: number): Resource[] {
    const found: Resource[] = [];
    for (let index = this.#items.length - 1; index >= this.#head && found.length < maximum; index--) {
      const item = this.#items[index];
      if (item !== undefined) found.push(item);
    }
    return found.reverse();
  }

  /** All of them, oldest first. */
  [Symbol.iterator](): Iterator<Resource> {
    return this.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  /** The first slot whose time is greater than `time`. */
  #indexAfter(time: number): number {
    let low = this.#head;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] as number) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #compact(): void {
    const times: number[] = [];
    const items: Resource[] = [];
    for (const item of this.#items) {
      if (item === undefined) continue;
      times.push(item.created);
      items.push(item);
    }
    this.#times = times;
    this.#items = items;
    this.#head = 0;
  }
}
