// @ts-check
/** The trees as far as they were opened, brought up to date by what the console tells. */

/** @typedef {{ id: string, name: string, kind: string, children: number }} Leaf */
/**
 * @typedef {{ cse: string, id: string, name: string, kind: string, children: number, depth: number, open: boolean,
 *   parent: Twig | undefined, below: Map<string, Twig> | undefined, place: number, changes: number }} Twig
 */

export class TreeModel {
  constructor() {
    /** @type {Map<string, Twig>} */
    this.twigs = new Map();
    /** @type {Twig[]} */
    this.roots = [];
    /** @type {Twig[] | undefined} */
    this.visible = undefined;
  }

  /**
   * @param {string} cse
   * @param {string} id
   */
  twig(cse, id) {
    return this.twigs.get(`${cse} ${id}`);
  }

  /** Those that are open stay so. @param {{ cseId: string, root: Leaf }[]} cses */
  setRoots(cses) {
    this.roots = cses.map(({ cseId, root }) => {
      const known = this.twig(cseId, root.id);
      if (known === undefined) return this.put(cseId, root, undefined);
      return Object.assign(known, { name: root.name, children: root.children });
    });
    this.visible = undefined;
  }

  /**
   * @param {Twig} twig
   * @param {{ total: number, children: Leaf[] }} read
   */
  setChildren(twig, { total, children }) {
    const former = twig.below;
    twig.below = new Map();
    for (const leaf of children) {
      const known = former?.get(leaf.id);
      if (known === undefined) twig.below.set(leaf.id, this.put(twig.cse, leaf, twig));
      else twig.below.set(leaf.id, Object.assign(known, { children: leaf.children }));
    }
    for (const one of former?.values() ?? []) if (!twig.below.has(one.id)) this.drop(one);
    twig.children = total;
    this.visible = undefined;
  }

  /** @param {{ cse: string, parent: string, children: number, added?: Leaf, removed?: string }} change */
  apply({ cse, parent, children, added, removed }) {
    const twig = this.twig(cse, parent);
    if (twig === undefined) return;
    this.visible = undefined;
    twig.children = children;
    twig.changes += 1;
    const gone = removed === undefined ? undefined : twig.below?.get(removed);
    if (gone !== undefined) {
      twig.below?.delete(gone.id);
      this.drop(gone);
    }
    if (added === undefined || twig.below === undefined || twig.below.has(added.id)) return;
    twig.below.set(added.id, this.put(cse, added, twig));
  }

  /** What is shown, from top to bottom. */
  rows() {
    if (this.visible !== undefined) return this.visible;
    /** @type {Twig[]} */
    const rows = [];
    /** @param {Iterable<Twig>} twigs */
    const show = (twigs) => {
      let place = 0;
      for (const twig of twigs) {
        place += 1;
        twig.place = place;
        rows.push(twig);
        if (twig.open && twig.below !== undefined) show(twig.below.values());
      }
    };
    show(this.roots);
    this.visible = rows;
    return rows;
  }

  /**
   * @param {string} cse
   * @param {Leaf} leaf
   * @param {Twig | undefined} parent
   * @returns {Twig}
   */
  put(cse, { id, name, kind, children }, parent) {
    const depth = parent === undefined ? 1 : parent.depth + 1;
    /** @type {Twig} */
    const twig = { cse, id, name, kind, children, depth, open: false, parent, below: undefined, place: 0, changes: 0 };
    this.twigs.set(`${cse} ${id}`, twig);
    return twig;
  }

  /** @param {Twig} twig */
  drop(twig) {
    this.twigs.delete(`${twig.cse} ${twig.id}`);
    for (const one of twig.below?.values() ?? []) this.drop(one);
  }
}
