/** Somebody who looks on while a tree changes: it stands around the methods of this one tree, so that others pay nothing for it. */
import type { Resource } from './resource.ts';
import type { Removal, Tree } from './tree.ts';

interface TreeWatcher {
  added(resource: Resource): void;
  /** Each resource that has gone: the removed one first, then what was below it. */
  removed(resource: Resource, how: Removal): void;
}

/** Neither the tree nor its CSE waits for the watcher, which must not throw. Lasts as long as the tree. */
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
