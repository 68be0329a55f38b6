import type { Resource } from './resource.ts';

/**
 * A binary heap of resources by expiration time.
 * A removed or rescheduled resource leaves a stale entry behind, which is skipped when it comes up;
 * all are dropped when they are more than half of the heap.
 */
export class ExpirationQueue {
  #times: number[] = [];
  #items: Resource[] = [];
  #stale = 0;
  readonly #stored: ReadonlyMap<string, Resource>;
  /** Called when a new entry becomes the earliest. */
  onEarlier: (() => void) | undefined;

  /** `stored` are the resources of the tree by identifier. */
  constructor(stored: ReadonlyMap<string, Resource>) {
    this.#stored = stored;
  }

  /** Adds a new resource. */
  add(resource: Resource): void {
    if (resource.expires !== Number.POSITIVE_INFINITY) this.#push(resource.expires, resource);
  }

  /** Adds the resource again, with its new expiration time. */
  changed(resource: Resource): void {
    this.add(resource);
    this.removed();
  }

  /** To be called for every removal from the tree, so that the heap stays in proportion to it. */
  removed(): void {
    this.#stale++;
    if (this.#stale > 64 && this.#stale * 2 > this.#items.length) this.#rebuild();
  }

  /** No resource expires before this; undefined when none ever does. */
  get earliest(): number | undefined {
    return this.#times[0];
  }

  /** Takes one resource that has expired at `now`; undefined when there is none. */
  due(now: number): Resource | undefined {
    for (let time = this.earliest; time !== undefined && time <= now; time = this.earliest) {
      const item = this.#pop();
      if (item !== undefined && item.expires === time && this.#stored.get(item.id) === item) return item;
      this.#stale = Math.max(0, this.#stale - 1);
    }
    return undefined;
  }

  #push(time: number, item: Resource): void {
    let index = this.#items.length;
    this.#times.push(time);
    this.#items.push(item);
    while (index > 0) {
      const above = (index - 1) >>> 1;
      if ((this.#times[above] as number) <= time) break;
      this.#swap(index, above);
      index = above;
    }
    if (index === 0) this.onEarlier?.();
  }

  #pop(): Resource | undefined {
    const last = this.#items.length - 1;
    this.#swap(0, last);
    this.#times.pop();
    const item = this.#items.pop();
    let index = 0;
    for (;;) {
      const below = this.#lesserChild(index);
      if (below === undefined || (this.#times[below] as number) >= (this.#times[index] as number)) return item;
      this.#swap(index, below);
      index = below;
    }
  }

  #lesserChild(index: number): number | undefined {
    const left = 2 * index + 1;
    if (left >= this.#items.length) return undefined;
    const right = left + 1;
    return right < this.#items.length && (this.#times[right] as number) < (this.#times[left] as number) ? right : left;
  }

  #swap(a: number, b: number): void {
    const time = this.#times[a] as number;
    const item = this.#items[a] as Resource;
    this.#times[a] = this.#times[b] as number;
    this.#items[a] = this.#items[b] as Resource;
    this.#times[b] = time;
    this.#items[b] = item;
  }

  #rebuild(): void {
    const items = this.#items;
    const times = this.#times;
    this.#items = [];
    this.#times = [];
    this.#stale = 0;
    const seen = new Set<Resource>();
    for (const [index, item] of items.entries()) {
      if (item.expires !== times[index] || seen.has(item) || this.#stored.get(item.id) !== item) continue;
      seen.add(item);
      this.#push(item.expires, item);
    }
  }
}
