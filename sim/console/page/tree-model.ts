/** The trees as far as they were opened, brought up to date by what the console tells. */
import type { Leaf, TreeChange } from '../events.ts';

export interface Twig extends Leaf {
  readonly cse: string;
  readonly depth: number;
  readonly parent: Twig | undefined;
  children: number;
  open: boolean;
  below: Map<string, Twig> | undefined;
  /** Among its siblings, from 1. */
  place: number;
  changes: number;
}

export class TreeModel {
  readonly #twigs = new Map<string, Twig>();
  #visible: Twig[] | undefined;
  roots: readonly Twig[] = [];

  twig(cse: string, id: string): Twig | undefined {
    return this.#twigs.get(`${cse} ${id}`);
  }

  /** Those that are open stay so. */
  setRoots(cses: readonly { readonly cseId: string; readonly root: Leaf }[]): void {
    this.roots = cses.map(({ cseId, root }) => {
      const known = this.twig(cseId, root.id);
      return known === undefined
        ? this.#put(cseId, root, undefined)
        : Object.assign(known, { name: root.name, children: root.children });
    });
    this.#visible = undefined;
  }

  setChildren(twig: Twig, { total, children }: { readonly total: number; readonly children: readonly Leaf[] }): void {
    const former = twig.below;
    twig.below = new Map();
    for (const leaf of children) {
      const known = former?.get(leaf.id);
      const one = known ? Object.assign(known, { children: leaf.children }) : this.#put(twig.cse, leaf, twig);
      twig.below.set(leaf.id, one);
    }
    for (const one of former?.values() ?? []) if (!twig.below.has(one.id)) this.drop(one);
    twig.children = total;
    this.#visible = undefined;
  }

  /** What is not shown is not kept up to date. */
  close(twig: Twig): void {
    twig.open = false;
    for (const one of twig.below?.values() ?? []) this.drop(one);
    twig.below = undefined;
    this.#visible = undefined;
  }

  apply(change: TreeChange): void {
    const { cse, parent, children } = change;
    const twig = this.twig(cse, parent);
    if (twig === undefined) return;
    this.#visible = undefined;
    twig.children = children;
    twig.changes += 1;
    if ('removed' in change) {
      const gone = twig.below?.get(change.removed);
      twig.below?.delete(change.removed);
      if (gone !== undefined) this.drop(gone);
    } else if (twig.below?.has(change.added.id) === false) {
      twig.below.set(change.added.id, this.#put(cse, change.added, twig));
    }
  }

  /** What is shown, from top to bottom. */
  rows(): readonly Twig[] {
    if (this.#visible !== undefined) return this.#visible;
    const rows: Twig[] = [];
    const show = (twigs: Iterable<Twig>): void => {
      let place = 0;
      for (const twig of twigs) {
        place += 1;
        twig.place = place;
        rows.push(twig);
        if (twig.open && twig.below !== undefined) show(twig.below.values());
      }
    };
    show(this.roots);
    this.#visible = rows;
    return rows;
  }

  drop(twig: Twig): void {
    this.#twigs.delete(`${twig.cse} ${twig.id}`);
    for (const one of twig.below?.values() ?? []) this.drop(one);
  }

  #put(cse: string, leaf: Leaf, parent: Twig | undefined): Twig {
    const depth = parent === undefined ? 1 : parent.depth + 1;
    const twig = { ...leaf, cse, depth, parent, open: false, below: undefined, place: 0, changes: 0 };
    this.#twigs.set(`${cse} ${leaf.id}`, twig);
    return twig;
  }
}
