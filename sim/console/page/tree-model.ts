/** The opened parts of the trees, kept up to date by events. */
import type { ResourceItem, TreeChange } from '../events.ts';

export interface TreeNode extends ResourceItem {
  readonly cse: string;
  readonly depth: number;
  readonly parent: TreeNode | undefined;
  children: number;
  open: boolean;
  below: Map<string, TreeNode> | undefined;
  /** Among its siblings, from 1. */
  position: number;
  changes: number;
}

export class TreeModel {
  readonly #nodes = new Map<string, TreeNode>();
  #visible: TreeNode[] | undefined;
  roots: readonly TreeNode[] = [];

  node(cse: string, id: string): TreeNode | undefined {
    return this.#nodes.get(`${cse} ${id}`);
  }

  /** Open nodes stay open. */
  setRoots(cses: readonly { readonly cseId: string; readonly root: ResourceItem }[]): void {
    this.roots = cses.map(({ cseId, root }) => {
      const known = this.node(cseId, root.id);
      return known === undefined
        ? this.#put(cseId, root, undefined)
        : Object.assign(known, { name: root.name, children: root.children });
    });
    this.#visible = undefined;
  }

  setChildren(node: TreeNode, total: number, children: readonly ResourceItem[]): void {
    const former = node.below;
    node.below = new Map();
    for (const item of children) {
      const known = former?.get(item.id);
      const one = known ? Object.assign(known, { children: item.children }) : this.#put(node.cse, item, node);
      node.below.set(item.id, one);
    }
    for (const one of former?.values() ?? []) if (!node.below.has(one.id)) this.drop(one);
    node.children = total;
    this.#visible = undefined;
  }

  /** Hidden nodes are not kept up to date. */
  close(node: TreeNode): void {
    node.open = false;
    for (const one of node.below?.values() ?? []) this.drop(one);
    node.below = undefined;
    this.#visible = undefined;
  }

  apply(change: TreeChange): void {
    const { cse, parent, children } = change;
    const node = this.node(cse, parent);
    if (node === undefined) return;
    this.#visible = undefined;
    node.children = children;
    node.changes += 1;
    if ('removed' in change) {
      const gone = node.below?.get(change.removed);
      node.below?.delete(change.removed);
      if (gone !== undefined) this.drop(gone);
    } else if (node.below?.has(change.added.id) === false) {
      node.below.set(change.added.id, this.#put(cse, change.added, node));
    }
  }

  /** The visible nodes, from top to bottom. */
  rows(): readonly TreeNode[] {
    if (this.#visible !== undefined) return this.#visible;
    const rows: TreeNode[] = [];
    const show = (nodes: Iterable<TreeNode>): void => {
      let position = 0;
      for (const node of nodes) {
        position += 1;
        node.position = position;
        rows.push(node);
        if (node.open && node.below !== undefined) show(node.below.values());
      }
    };
    show(this.roots);
    this.#visible = rows;
    return rows;
  }

  drop(node: TreeNode): void {
    this.#nodes.delete(`${node.cse} ${node.id}`);
    for (const one of node.below?.values() ?? []) this.drop(one);
  }

  #put(cse: string, item: ResourceItem, parent: TreeNode | undefined): TreeNode {
    const depth = parent === undefined ? 1 : parent.depth + 1;
    const node = { ...item, cse, depth, parent, open: false, below: undefined, position: 0, changes: 0 };
    this.#nodes.set(`${cse} ${item.id}`, node);
    return node;
  }
}
