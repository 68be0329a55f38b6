/** Disjoint lists of items, which grow together. */
export class Groups<Item> {
  readonly #groupOf: Map<Item, Item[]>;

  constructor(items: readonly Item[]) {
    this.#groupOf = new Map(items.map((item) => [item, [item]]));
  }

  /** From now on they stand in one list, with whatever stood with one of them. */
  join(first?: Item, ...others: readonly Item[]): void {
    const into = first === undefined ? undefined : this.#groupOf.get(first);
    for (const other of others) {
      const group = this.#groupOf.get(other);
      if (into === undefined || group === undefined || group === into) continue;
      into.push(...group);
      for (const item of group) this.#groupOf.set(item, into);
    }
  }

  /** The lists, and the items of each, in the order in which the items were given. */
  lists(): Item[][] {
    const position = new Map([...this.#groupOf.keys()].map((item, at) => [item, at]));
    const at = (item: Item) => position.get(item) ?? 0;
    return [...new Set(this.#groupOf.values())].map((group) => group.sort((a, b) => at(a) - at(b)));
  }
}

/** The items by key; each has any number of keys. */
export function listsBy<Item>(items: readonly Item[], keysOf: (item: Item) => Iterable<string>): Map<string, Item[]> {
  const lists = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const known = lists.get(key);
      if (known === undefined) lists.set(key, [item]);
      else known.push(item);
    }
  }
  return lists;
}
