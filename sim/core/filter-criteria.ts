/** Filter criteria (TS-0001, table 8.1.2-1), and what one resource must be to meet them. */
import { readContentQuery } from './content-query.ts';
import type { Resource } from './resource.ts';
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

export type Test = (resource: Resource) => boolean;

export const everything: Test = () => true;

/** True when one resource meets the criteria, as a condition on a retrieve. */
export function meetsCriteria(resource: Resource, criteria: FilterCriteria): boolean {
  return compile(criteria)(resource);
}

/** One test for all criteria that are about a resource itself, its parent or its children. */
export function compile(criteria: FilterCriteria): Test {
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
      const value = resource.valueOf(name);
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

/** The JSON document that a content instance holds. */
const jsonInfo = /^application\/(?:[^:]+\+)?json:([0-2])/;

/** Undefined where the contentInfo does not say that it is JSON (TS-0001, annex J.2), or where it is not. */
function jsonContent({ values }: Resource): unknown {
  const { cnf, con } = values;
  const [, encoding] = typeof cnf === 'string' ? (jsonInfo.exec(cnf) ?? []) : [];
  if (encoding === undefined || typeof con !== 'string') return encoding === undefined ? undefined : con;
  try {
    return JSON.parse(encoding === '0' ? con : decoded(con));
  } catch {
    return undefined;
  }
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
