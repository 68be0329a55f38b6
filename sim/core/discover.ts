/** Discovery: filter criteria (TS-0001, clause 8.1.2) over the tree's indexes, so that it costs what it finds. */
import type { CreationOrder } from './creation-order.ts';
import type { Resource } from './resource.ts';
import type { Tree } from './tree.ts';

/** Times are microseconds since 1970 UTC. Lists are alternatives; different criteria must all hold unless `filterOperation` is 2. */
export interface FilterCriteria {
  readonly filterUsage?: 1 | 2;
  readonly labels?: readonly string[];
  readonly resourceTypes?: readonly number[];
  readonly contentTypes?: readonly string[];
  readonly createdBefore?: number;
  readonly createdAfter?: number;
  readonly modifiedSince?: number;
  readonly unmodifiedSince?: number;
  readonly stateTagSmaller?: number;
  readonly stateTagBigger?: number;
  readonly expireBefore?: number;
  readonly expireAfter?: number;
  readonly sizeAbove?: number;
  readonly sizeBelow?: number;
  /** How many levels below the target; 1 is its children. */
  readonly level?: number;
  readonly limit?: number;
  /** Position of the first match to be listed, from 1. */
  readonly offset?: number;
  /** 1 AND, 2 OR, 3 XOR (exactly one criterion holds). */
  readonly filterOperation?: 1 | 2 | 3;
}

type Test = (resource: Resource) => boolean;

const everything: Test = () => true;

/** What is below `root` and meets the criteria, in creation order. */
export function discover(root: Resource, criteria: FilterCriteria, tree: Tree, visible: Test = everything): Resource[] {
  const { source, remaining } = search(root, criteria, tree);
  const meets = compile(remaining);
  const level = criteria.level ?? Number.POSITIVE_INFINITY;
  // Everything is below the CSE base.
  const everywhere = root === tree.base && criteria.level === undefined;
  const first = criteria.offset ?? 1;
  const enough = first - 1 + (criteria.limit ?? Number.POSITIVE_INFINITY);
  const found: Resource[] = [];
  for (const candidate of source) {
    if (found.length >= enough) break;
    if ((everywhere || isWithin(candidate, root, level)) && meets(candidate) && visible(candidate))
      found.push(candidate);
  }
  return first > 1 ? found.slice(first - 1) : found;
}

/** True when one resource meets the criteria, as a condition on a retrieve. */
export function meetsCriteria(resource: Resource, criteria: FilterCriteria): boolean {
  return compile(criteria)(resource);
}

function isWithin(resource: Resource, root: Resource, level: number): boolean {
  let depth = 1;
  for (let above = resource.parent; above !== undefined; above = above.parent) {
    if (above === root) return true;
    if (++depth > level) return false;
  }
  return false;
}

/** Where to look, and what is left to be looked at. */
interface Search {
  /** The smallest set, in creation order, that holds every match. */
  readonly source: Iterable<Resource>;
  /** The criteria that not everything in it meets already. */
  readonly remaining: FilterCriteria;
}

function search(root: Resource, criteria: FilterCriteria, tree: Tree): Search {
  // With OR and XOR a match need not be in any one index but that of all resources.
  const indexed = (criteria.filterOperation ?? 1) === 1;
  const { labels, createdAfter, createdBefore, ...others } = criteria;
  const after = (indexed ? createdAfter : undefined) ?? Number.NEGATIVE_INFINITY;
  const before = (indexed ? createdBefore : undefined) ?? Number.POSITIVE_INFINITY;
  const orders = indexed && labels !== undefined ? labelled(labels, tree) : [tree.byCreation];
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

function labelled(labels: readonly string[], tree: Tree) {
  return labels.flatMap((label) => tree.withLabel(label) ?? []);
}

function subtree(root: Resource): Resource[] {
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

function compile(criteria: FilterCriteria): Test {
  const tests: Test[] = [];
  for (const name in criteria) {
    const make = criterion[name as Criterion] as ((value: unknown) => Test) | undefined;
    if (make !== undefined) tests.push(make(criteria[name as Criterion]));
  }
  const [only] = tests;
  if (tests.length <= 1) return only ?? everything;
  if (criteria.filterOperation === 2) return (resource) => tests.some((test) => test(resource));
  if (criteria.filterOperation === 3) return (resource) => tests.filter((test) => test(resource)).length === 1;
  return (resource) => tests.every((test) => test(resource));
}

type Criterion = Exclude<keyof FilterCriteria, 'filterUsage' | 'filterOperation' | 'level' | 'limit' | 'offset'>;

const hasStateTag = (resource: Resource) => 'st' in resource.type.attributes;

/** One test for each criterion, after TS-0001 table 8.1.2-1; a criterion on an attribute that the resource has not is not met. */
const criterion: { [Name in Criterion]: (value: NonNullable<FilterCriteria[Name]>) => Test } = {
  labels: (labels) => (resource) => resource.labels?.some((label) => labels.includes(label)) ?? false,
  resourceTypes: (types) => (resource) => types.includes(resource.type.ty),
  contentTypes: (types) => (resource) => types.some((type) => isOfContentType(resource.values.cnf, type)),
  createdBefore: (time) => (resource) => resource.created < time,
  createdAfter: (time) => (resource) => resource.created > time,
  modifiedSince: (time) => (resource) => resource.modified > time,
  unmodifiedSince: (time) => (resource) => resource.modified < time,
  stateTagSmaller: (count) => (resource) => hasStateTag(resource) && resource.stateTag < count,
  stateTagBigger: (count) => (resource) => hasStateTag(resource) && resource.stateTag > count,
  expireBefore: (time) => (resource) => resource.expires < time,
  expireAfter: (time) => (resource) => resource.expires > time,
  sizeAbove: (bytes) => (resource) => typeof resource.values.cs === 'number' && resource.values.cs >= bytes,
  sizeBelow: (bytes) => (resource) => typeof resource.values.cs === 'number' && resource.values.cs < bytes,
};

function isOfContentType(contentFormat: unknown, type: string): boolean {
  return typeof contentFormat === 'string' && (contentFormat === type || contentFormat.startsWith(`${type}:`));
}
