/** Discovery: filter criteria (TS-0001, clause 8.1.2) over the tree's indexes, at a cost in proportion to its result. */
import { relativeTo } from '../address.ts';
import type { CreationOrder } from '../creation-order.ts';
import { compile, everything, type FilterCriteria, type Test } from '../filter-criteria.ts';
import type { Resource } from '../resource.ts';
import type { Tree } from '../tree.ts';

/** Resources below `root` that meet the criteria, in creation order. */
export function discover(root: Resource, criteria: FilterCriteria, tree: Tree, visible: Test = everything): Discovered {
  const { source, remaining } = search(root, criteria, tree);
  const matching = matcher(root, criteria, compile(remaining), tree);
  const first = criteria.offset ?? 1;
  const enough = first - 1 + (criteria.limit ?? Number.POSITIVE_INFINITY);
  const found: Resource[] = [];
  let lookahead = 0;
  for (const candidate of source) {
    const full = found.length >= enough;
    if (full && ++lookahead > maxLookahead) return { matches: found.slice(first - 1), more: true };
    const match = matching(candidate);
    if (match === undefined || !visible(match)) continue;
    if (full) return { matches: found.slice(first - 1), more: true };
    found.push(match);
  }
  return { matches: found.slice(first - 1), more: false };
}

/** Maps a candidate to its match: itself, or the resource at `arp` from there, once. */
function matcher(root: Resource, { level, applyRelativePath }: FilterCriteria, meets: Test, tree: Tree) {
  // Everything is below the CSE base.
  const everywhere = root === tree.base && level === undefined;
  const reached = new Set<Resource>();
  return (candidate: Resource): Resource | undefined => {
    if (isHidden(candidate)) return undefined;
    if (!everywhere && !isWithin(candidate, root, level ?? Number.POSITIVE_INFINITY)) return undefined;
    if (!meets(candidate)) return undefined;
    if (applyRelativePath === undefined) return candidate;
    const match = relativeTo(candidate, applyRelativePath);
    if (match === undefined || isHidden(match) || reached.has(match)) return undefined;
    reached.add(match);
    return match;
  };
}

/** TS-0001, clause 9.6.6: with disr, the instances of a container are hidden. */
const isHidden = ({ type, parent }: Resource) => type.isInstance === true && parent?.values.disr === true;

/** Candidates examined beyond the limit, to know whether there is more; after that it is assumed. */
const maxLookahead = 1000;

export interface Discovered {
  /** In creation order. */
  readonly matches: readonly Resource[];
  /** True when the limit has cut off others. */
  readonly more: boolean;
}

function isWithin(resource: Resource, root: Resource, level: number): boolean {
  let depth = 1;
  for (let above = resource.parent; above !== undefined; above = above.parent) {
    if (above === root) return true;
    if (++depth > level) return false;
  }
  return false;
}

/**
 * The smallest source, in creation order, that contains every match; and the remaining criteria, which not everything in it
 * meets already.
 */
function search(root: Resource, criteria: FilterCriteria, tree: Tree) {
  // With OR and XOR a match may be in no index but that of all resources.
  const indexed = (criteria.filterOperation ?? 1) === 1;
  const { labels, createdAfter, createdBefore, ...others } = criteria;
  const after = (indexed ? createdAfter : undefined) ?? Number.NEGATIVE_INFINITY;
  const before = (indexed ? createdBefore : undefined) ?? Number.POSITIVE_INFINITY;
  const orders =
    indexed && labels !== undefined ? labels.flatMap((label) => tree.withLabel(label) ?? []) : [tree.byCreation];
  let size = 0;
  for (const order of orders) size += order.countBetween(after, before);
  if (root !== tree.base && root.descendants < size) return { source: subtree(root), remaining: criteria };
  return { source: merge(orders, after, before), remaining: indexed ? others : criteria };
}

function merge(orders: readonly CreationOrder[], after: number, before: number): Iterable<Resource> {
  const [only] = orders;
  if (only !== undefined && orders.length === 1) return only.between(after, before);
  const merged = new Set<Resource>();
  for (const order of orders) for (const resource of order.between(after, before)) merged.add(resource);
  return byCreation([...merged]);
}

/** Everything below, in creation order; without recursion, since trees can be deep. */
export function subtree(root: Resource): Resource[] {
  const list: Resource[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of next.children?.values() ?? []) {
      list.push(child);
      if (child.children !== undefined) open.push(child);
    }
  }
  return byCreation(list);
}

const byCreation = (list: Resource[]) => list.sort((a, b) => a.created - b.created);
