/** Filter criteria (TS-0001, table 8.1.2-1), and whether a resource meets them. */

import { readContentQuery } from './content-query.ts';
import type { Resource } from './resource.ts';
import { attempt } from './status.ts';
import { fitsWildcard } from './wildcard.ts';

/** Short names of attributes with values, where `*` matches any characters. */
type Patterns = readonly (readonly [name: string, value: string])[];

type Criteria = { readonly [Name in keyof typeof criterion]?: Parameters<(typeof criterion)[Name]>[0] };

/** Times are microseconds since 1970 UTC. Lists are alternatives; different criteria must all hold unless `filterOperation` is 2. */
export interface FilterCriteria extends Criteria {
  readonly filterUsage?: 1 | 2;
  /** The syntax of the content query; 1 is the only one. */
  readonly contentSyntax?: 1;
  /** A path from each match, such as `a`, `../a` or `a/la`; the resource there, if any, replaces the match. */
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

/** True when the resource meets the criteria, as a condition on a retrieve. */
export function meetsCriteria(resource: Resource, criteria: FilterCriteria): boolean {
  return compile(criteria)(resource);
}

/** One test for all criteria on a resource itself, its parent or its children. */
export function compile(criteria: FilterCriteria): Test {
  const tests: Test[] = [];
  for (const name in criteria) {
    const make = criterion[name as keyof Criteria] as ((value: unknown) => Test) | undefined;
    if (make !== undefined) tests.push(make(criteria[name as keyof Criteria]));
  }
  const [only] = tests;
  if (tests.length <= 1) return only ?? everything;
  if (criteria.filterOperation === 2) return (resource) => tests.some((test) => test(resource));
  if (criteria.filterOperation === 3) return (resource) => tests.filter((test) => test(resource)).length === 1;
  return (resource) => tests.every((test) => test(resource));
}

const hasStateTag = (resource: Resource) => 'st' in resource.type.attributes;

/** A criterion from its predicate. */
function by<Value>(holds: (value: Value, resource: Resource) => boolean): (value: Value) => Test {
  return (value) => (resource) => holds(value, resource);
}

function isOfType(types: readonly number[]): Test {
  return ({ type }) => types.includes(type.ty);
}

function hasLabel(labels: readonly string[]): Test {
  return (resource) => resource.labels?.some((label) => labels.includes(label)) === true;
}

function someChild(test: Test): Test {
  return ({ children }) => {
    for (const child of children?.values() ?? []) if (test(child)) return true;
    return false;
  };
}

function ofParent(test: Test): Test {
  return ({ parent }) => parent !== undefined && test(parent);
}

function hasAttributes(patterns: Patterns): Test {
  return (resource) =>
    patterns.every(([name, pattern]) => {
      const value = resource.valueOf(name);
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return values.some((one) => one !== undefined && typeof one !== 'object' && fitsWildcard(String(one), pattern));
    });
}

/** One test for each criterion of TS-0001 table 8.1.2-1; a criterion on an absent attribute is not met. */
const criterion = {
  labels: hasLabel,
  resourceTypes: isOfType,
  contentTypes: by(
    (types: readonly string[], { values: { cnf } }) =>
      typeof cnf === 'string' && types.some((type) => cnf === type || cnf.startsWith(`${type}:`)),
  ),
  /** A query on JSON content, see `readContentQuery`. */
  contentQuery: hasContent,
  attributes: hasAttributes,
  /** At least one child has such a type, label or attribute. */
  childResourceTypes: (types: readonly number[]) => someChild(isOfType(types)),
  childLabels: (labels: readonly string[]) => someChild(hasLabel(labels)),
  childAttributes: (patterns: Patterns) => someChild(hasAttributes(patterns)),
  /** The same for the parent. */
  parentResourceTypes: (types: readonly number[]) => ofParent(isOfType(types)),
  parentLabels: (labels: readonly string[]) => ofParent(hasLabel(labels)),
  parentAttributes: (patterns: Patterns) => ofParent(hasAttributes(patterns)),
  createdBefore: by((time: number, { created }) => created < time),
  createdAfter: by((time: number, { created }) => created > time),
  modifiedSince: by((time: number, { modified }) => modified > time),
  unmodifiedSince: by((time: number, { modified }) => modified < time),
  stateTagSmaller: by((count: number, resource) => hasStateTag(resource) && resource.stateTag < count),
  stateTagBigger: by((count: number, resource) => hasStateTag(resource) && resource.stateTag > count),
  expireBefore: by((time: number, { expires }) => expires < time),
  expireAfter: by((time: number, { expires }) => expires > time),
  sizeAbove: by((bytes: number, { values: { cs } }) => typeof cs === 'number' && cs >= bytes),
  sizeBelow: by((bytes: number, { values: { cs } }) => typeof cs === 'number' && cs < bytes),
};

function hasContent(query: string): Test {
  const holds = readContentQuery(query);
  return (resource) => resource.type.isInstance === true && holds(jsonContent(resource));
}

/** A contentInfo that says JSON, with its encoding. */
const jsonInfo = /^application\/(?:[^:]+\+)?json:([0-2])/;

/** The JSON content of an instance; undefined where contentInfo does not say JSON (TS-0001, annex J.2), or it is invalid. */
function jsonContent({ values }: Resource): unknown {
  const { cnf, con } = values;
  const [, encoding] = typeof cnf === 'string' ? (jsonInfo.exec(cnf) ?? []) : [];
  if (encoding === undefined || typeof con !== 'string') return encoding === undefined ? undefined : con;
  return attempt(() => JSON.parse(encoding === '0' ? con : decoded(con)));
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
