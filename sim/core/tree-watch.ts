/** Observes changes of one tree by wrapping its methods, so that other trees pay nothing for it. */
import type { Resource } from './resource.ts';
import type { RemovalReason, Tree } from './tree.ts';

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
