/** The resource tree of one CSE with its indexes. It changes only through these methods. */

import { CreationOrder } from './creation-order.ts';
import { ExpirationQueue } from './expire.ts';
import { getOrInsert } from './memoize.ts';
import { subscriptionType } from './numbers.ts';
import type { Resource } from './resource.ts';

/** Why a resource was removed; `to make room` raises no event (TS-0001, clause 10.2.4.3). */
export type RemovalReason = 'itself' | 'with its parent' | 'to make room';

/** Called for each removed resource: the addressed one first, then what was below it. */
export type OnRemoved = (resource: Resource, how: RemovalReason) => void;

const nothing = () => {};

export class Tree {
  readonly base: Resource;
  /** Set once, by the CSE. */
  onRemoved: OnRemoved = nothing;
  /** Called for each expired resource before its removal. Set once, by the installation. */
  onExpired: (resource: Resource) => void = nothing;
  /** True: expiration times have no effect. Instances older than their container allows are removed nevertheless. */
  keepsExpired = false;
  readonly #byId = new Map<string, Resource>();
  readonly #byAlias = new Map<string, Resource>();
  readonly #byLabel = new Map<string, CreationOrder>();
  /** All resources but the CSE base. */
  readonly byCreation = new CreationOrder();
  readonly #expirations = new ExpirationQueue(this.#byId);

  constructor(base: Resource) {
    this.base = base;
    this.#byId.set(base.id, base);
    this.#indexLabels(base);
  }

  /** Number of resources, including the CSE base. */
  get size(): number {
    return this.#byId.size;
  }

  holds(resource: Resource): boolean {
    return this.#byId.get(resource.id) === resource;
  }

  byId(id: string): Resource | undefined {
    return this.#byId.get(id);
  }

  byAlias(alias: string): Resource | undefined {
    return this.#byAlias.get(alias);
  }

  /** Resources with this label, in creation order. */
  withLabel(label: string): CreationOrder | undefined {
    return this.#byLabel.get(label);
  }

  add(resource: Resource): void {
    const parent = resource.parent;
    if (parent === undefined) throw new TypeError('only the CSE base has no parent');
    this.#byId.set(resource.id, resource);
    if (resource.type.alias !== undefined) this.#byAlias.set(resource.type.alias(resource), resource);
    this.byCreation.add(resource);
    this.#indexLabels(resource);
    this.#expirations.add(resource);
    const { below } = parent;
    below.children ??= new Map();
    below.children.set(resource.name, resource);
    for (let above: Resource | undefined = parent; above !== undefined; above = above.parent) above.below.descendants++;
    if (resource.type.isInstance) this.#countInstance(parent, resource, 1);
    if (resource.type.ty === subscriptionType) below.subscriptions = [...(below.subscriptions ?? []), resource];
  }

  /** Removes the resource and everything below it. */
  remove(resource: Resource, how: 'itself' | 'to make room' = 'itself'): void {
    const parent = resource.parent;
    if (parent === undefined) throw new TypeError('the CSE base stays');
    parent.children?.delete(resource.name);
    const count = 1 + resource.descendants;
    for (let above: Resource | undefined = parent; above !== undefined; above = above.parent) {
      above.below.descendants -= count;
    }
    if (resource.type.isInstance) this.#countInstance(parent, resource, -1);
    if (resource.type.ty === subscriptionType) {
      parent.below.subscriptions = parent.subscriptions?.filter((subscription) => subscription !== resource);
    }
    const leaving = [resource];
    for (let next = leaving.pop(); next !== undefined; next = leaving.pop()) {
      for (const child of next.children?.values() ?? []) leaving.push(child);
      this.#forget(next);
      this.onRemoved(next, next === resource ? how : 'with its parent');
    }
  }

  relabel(resource: Resource, labels: readonly string[] | undefined): void {
    this.#unindexLabels(resource);
    resource.labels = labels;
    this.#indexLabels(resource);
  }

  /** Sets when `resource` expires, and shortens everything below that would outlive it. */
  reschedule(resource: Resource, expires: number): void {
    const bounded = [resource];
    for (let next = bounded.pop(); next !== undefined; next = bounded.pop()) {
      next.expires = next === resource ? expires : Math.min(next.expires, expires);
      this.#expirations.changed(next);
      for (const child of next.children?.values() ?? []) if (child.expires > expires) bounded.push(child);
    }
  }

  /** Removes resources expired at `now`, each with its subtree. */
  expire(now: number): void {
    for (let due = this.#expirations.due(now); due !== undefined; due = this.#expirations.due(now)) {
      if (this.keepsExpired && due.parent?.values.mia === undefined) continue;
      this.onExpired(due);
      this.remove(due);
    }
  }

  /** When the next resource expires, or a lower bound; undefined when none does. */
  get nextExpiration(): number | undefined {
    return this.#expirations.earliest;
  }

  /** Called when the next expiration becomes earlier. */
  set onEarlierExpiration(listener: (() => void) | undefined) {
    this.#expirations.onEarlier = listener;
  }

  #countInstance(parent: Resource, instance: Resource, sign: 1 | -1): void {
    if (sign === 1) parent.instances?.add(instance);
    else parent.instances?.remove(instance);
    parent.below.instanceBytes += sign * Number(instance.values.cs);
    if (instance.type.attributes.st?.compute !== undefined) parent.stateTag++;
  }

  #forget(resource: Resource): void {
    this.#byId.delete(resource.id);
    if (resource.type.alias !== undefined) this.#byAlias.delete(resource.type.alias(resource));
    this.byCreation.remove(resource);
    this.#unindexLabels(resource);
    this.#expirations.removed();
  }

  #indexLabels(resource: Resource): void {
    if (resource.labels === undefined) return;
    for (const label of new Set(resource.labels)) {
      getOrInsert(this.#byLabel, label, () => new CreationOrder()).add(resource);
    }
  }

  #unindexLabels(resource: Resource): void {
    if (resource.labels === undefined) return;
    for (const label of new Set(resource.labels)) {
      const labelled = this.#byLabel.get(label);
      labelled?.remove(resource);
      if (labelled?.size === 0) this.#byLabel.delete(label);
    }
  }
}

// Observes changes of one tree by wrapping its methods, so that other trees pay nothing for it.

interface TreeWatcher {
  added(resource: Resource): void;
  /** Each removed resource: the addressed one first, then what was below it. */
  removed(resource: Resource, how: RemovalReason): void;
}

/** The watcher must not throw; nothing waits for it. Lasts as long as the tree. */
export function watchTree(tree: Tree, watcher: TreeWatcher): void {
  const add = tree.add.bind(tree);
  tree.add = (resource) => {
    add(resource);
    watcher.added(resource);
  };
  const { onRemoved } = tree;
  tree.onRemoved = (resource, how) => {
    onRemoved(resource, how);
    watcher.removed(resource, how);
  };
}
