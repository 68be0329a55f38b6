/** Discovery: filter criteria (TS-0001, clause 8.1.2) over the tree's indexes, so that it costs what it finds. */
import { jsonContent } from './content-document.ts';
import { readContentQuery } from './content-query.ts';
import type { CreationOrder } from './creation-order.ts';
import type { Resource } from './resource.ts';
import type { Tree } from './tree.ts';
import { fitsWildcard } from './wildcard.ts';

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
  /** Short names of attributes with their values, in which `*` stands for any characters. */
  readonly attributes?: readonly (readonly [name: string, value: string])[];
  /** At least one child is of such a kind, has such a label, such an attribute. */
  readonly childResourceTypes?: readonly number[];
  readonly childLabels?: readonly string[];
  readonly childAttributes?: readonly (readonly [name: string, value: string])[];
  /** The same of the parent. */
  readonly parentResourceTypes?: readonly number[];
  readonly parentLabels?: readonly string[];
  readonly parentAttributes?: readonly (readonly [name: string, value: string])[];
  /** What JSON content must say: a query that `readContentQuery` reads. */
  readonly contentQuery?: string;
  /** The syntax of that query; 1 is the only one. */
  readonly contentSyntax?: 1;
  /** A path below each match that stands for the match, where it exists. */
  readonly applyRelativePath?: string;
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
export function discover(root: Resource, criteria: FilterCriteria, tree: Tree, visible: Test = everything): Discovered {
  const { source, remaining } = search(root, criteria, tree);
  const matching = matcher(root, criteria, compile(remaining), tree);
  const first = criteria.offset ?? 1;
  const enough = first - 1 + (criteria.limit ?? Number.POSITIVE_INFINITY);
  const found: Resource[] = [];
  let ahead = 0;
  for (const candidate of source) {
    const full = found.length >= enough;
    if (full && ++ahead > farthestAhead) return { matches: found.slice(first - 1), more: true };
    const match = matching(candidate);
    if (match === undefined || !visible(match)) continue;
    if (full) return { matches: found.slice(first - 1), more: true };
    found.push(match);
  }
  return { matches: first > 1 ? found.slice(first - 1) : found, more: false };
}

/** What a candidate adds to the result: itself, or what `arp` leads to from it. */
function matcher(root: Resource, { level, applyRelativePath }: FilterCriteria, meets: Test, tree: Tree) {
  // Everything is below the CSE base.
  const everywhere = root === tree.base && level === undefined;
  return (candidate: Resource): Resource | undefined => {
    // TS-0001, clause 9.6.6: with disr, the instances of a container are hidden.
    if (candidate.type.isInstance && candidate.parent?.values.disr === true) return undefined;
    if (!everywhere && !isWithin(candidate, root, level ?? Number.POSITIVE_INFINITY)) return undefined;
    if (!meets(candidate)) return undefined;
    return applyRelativePath === undefined ? candidate : descend(candidate, applyRelativePath);
  };
}

/** Resources that are looked at beyond the limit, to know whether there is more; after so many it is taken for granted. */
const farthestAhead = 1000;

export interface Discovered {
  /** In creation order. */
  readonly matches: readonly Resource[];
  /** True when the limit has cut off others. */
  readonly more: boolean;
}

function descend(resource: Resource, path: string): Resource | undefined {
  let below: Resource | undefined = resource;
  for (const name of path.split('/')) below = below?.children?.get(name);
  return below;
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

type Criterion = Exclude<
  keyof FilterCriteria,
  'filterUsage' | 'filterOperation' | 'level' | 'limit' | 'offset' | 'applyRelativePath' | 'contentSyntax'
>;

const hasStateTag = (resource: Resource) => 'st' in resource.type.attributes;

function hasLabel(labels: readonly string[]): Test {
  return (resource) => resource.labels?.some((label) => labels.includes(label)) ?? false;
}

const someChild =
  (test: Test): Test =>
  (resource) => {
    for (const child of resource.children?.values() ?? []) if (test(child)) return true;
    return false;
  };

const ofParent =
  (test: Test): Test =>
  ({ parent }) =>
    parent !== undefined && test(parent);

function hasAttributes(wanted: readonly (readonly [name: string, value: string])[]): Test {
  return (resource) =>
    wanted.every(([name, pattern]) => {
      const definition = resource.type.attributes[name];
      const value = definition?.from === undefined ? resource.values[name] : definition.from(resource);
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return values.some((one) => one !== undefined && typeof one !== 'object' && fitsWildcard(String(one), pattern));
    });
}

/** One test for each criterion, after TS-0001 table 8.1.2-1; a criterion on an attribute that the resource has not is not met. */
const criterion: { [Name in Criterion]: (value: NonNullable<FilterCriteria[Name]>) => Test } = {
  labels: hasLabel,
  resourceTypes: (types) => (resource) => types.includes(resource.type.ty),
  contentTypes: (types) => (resource) => types.some((type) => isOfContentType(resource.values.cnf, type)),
  contentQuery: hasContent,
  attributes: hasAttributes,
  childResourceTypes: (types) => someChild((child) => types.includes(child.type.ty)),
  childLabels: (labels) => someChild(hasLabel(labels)),
  childAttributes: (wanted) => someChild(hasAttributes(wanted)),
  parentResourceTypes: (types) => ofParent((parent) => types.includes(parent.type.ty)),
  parentLabels: (labels) => ofParent(hasLabel(labels)),
  parentAttributes: (wanted) => ofParent(hasAttributes(wanted)),
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

function hasContent(query: string): Test {
  const holds = readContentQuery(query);
  return (resource) => resource.type.isInstance === true && holds(jsonContent(resource));
}

function isOfContentType(contentFormat: unknown, type: string): boolean {
  return typeof contentFormat === 'string' && (contentFormat === type || contentFormat.startsWith(`${type}:`));
}
