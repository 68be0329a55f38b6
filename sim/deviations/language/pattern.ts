/** Patterns for values. */
import { isObject } from '../../dialects/body.ts';
import { readTimestamp } from '../../dialects/timestamp.ts';
import type { Attributes } from '../vocabulary/messages.ts';
import { at, filled, type Scope } from './scope.ts';

/**
 * A literal, a path behind `$` for its value, a text with `${paths}` in it, a list of alternatives, `present` or `absent`, or an object of tests that
 * must all pass: `{ above: 1, matching: ^C }`.
 */
export type Pattern = unknown;

export function matches(value: unknown, pattern: Pattern, scope: Scope): boolean {
  if (pattern === 'present') return value !== undefined;
  if (pattern === 'absent') return value === undefined;
  if (typeof pattern === 'string' && /^\$[a-z]/i.test(pattern)) return isSame(value, at(pattern.slice(1), scope));
  if (Array.isArray(pattern)) return pattern.some((one) => matches(value, one, scope));
  if (typeof pattern === 'string') return value === filled(pattern, scope);
  if (!isObject(pattern)) return value === pattern;
  return Object.entries(pattern).every(
    ([name, argument]) => tests.get(name)?.(value, argument as never, scope) === true,
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other));
}

type Test = (value: unknown, argument: never, scope: Scope) => boolean;

const byNumber =
  (passes: (value: number, than: number) => boolean): Test =>
  (value, than: unknown, scope) => {
    const other = typeof than === 'string' ? at(than.replace(/^\$/, ''), scope) : than;
    return value !== undefined && value !== null && other !== undefined && passes(Number(value), Number(other));
  };

/** A regular expression; the value of a `${path}` is matched literally. */
export function expressionOf(pattern: string, scope: Scope): RegExp {
  return new RegExp(
    filled(pattern, scope, (value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')),
    'gu',
  );
}

/** Compares timestamps, and times in microseconds such as `$now`. */
const byTime =
  (passes: (time: number, other: number) => boolean): Test =>
  (value, path: string, scope) => {
    const [time, other] = [value, at(path.slice(1), scope)].map(timeOf);
    return time !== undefined && other !== undefined && passes(time, other);
  };

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? readTimestamp(value) : undefined;
}

/** The elements of a list, or the values of an object. */
function valuesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : undefined;
}

const valueTypes: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['text', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['boolean', (value) => typeof value === 'boolean'],
  ['list', Array.isArray],
  ['object', isObject],
  ['null', (value) => value === null],
]);

const tests: ReadonlyMap<string, Test> = new Map(
  Object.entries<Test>({
    equals: (value, literal: unknown) => isSame(value, literal),
    is: (value, type: string) => valueTypes.get(type)?.(value) === true,
    matching: (value, pattern: string, scope) =>
      value !== undefined && expressionOf(pattern, scope).test(String(value)),
    above: byNumber((value, than) => value > than),
    below: byNumber((value, than) => value < than),
    'at-least': byNumber((value, than) => value >= than),
    'at-most': byNumber((value, than) => value <= than),
    before: byTime((time, other) => time < other),
    after: byTime((time, other) => time > other),
    bits: (value, all: number) => (Number(value) & all) === all,
    // The address of a resource with such a root; `absent` where there is none.
    'leads-to': (value, root: Pattern, scope) => {
      const roots = scope.find('roots')?.value as ((address: unknown) => unknown) | undefined;
      return matches(roots?.(value), root, scope);
    },
    not: (value, pattern: Pattern, scope) => !matches(value, pattern, scope),
    and: (value, patterns: readonly Pattern[], scope) => patterns.every((one) => matches(value, one, scope)),
    contains: (value, pattern: Pattern, scope) => valuesOf(value)?.some((one) => matches(one, pattern, scope)) === true,
    every: (value, pattern: Pattern, scope) => valuesOf(value)?.every((one) => matches(one, pattern, scope)) === true,
    // One of the values in the list at a path, or in lists within it.
    in: (value, path: string, scope) => [at(path.replace(/^\$/, ''), scope)].flat(2).includes(value),
    // Equal to one of the texts at a path, ignoring case.
    'in-any-case': (value, path: string, scope) =>
      [at(path.replace(/^\$/, ''), scope)].flat().some((one) => lower(one) === lower(value)),
    count: (value, pattern: Pattern, scope) => matches(sizeOf(value), pattern, scope),
    distinct: (value, expected: boolean) => Array.isArray(value) && (new Set(value).size === value.length) === expected,
    fields: (value, parts: Attributes, scope) => isObject(value) && passesParts(value, parts, scope),
    // The list of its keys.
    keys: (value, pattern: Pattern, scope) => isObject(value) && matches(Object.keys(value), pattern, scope),
    'exact-keys': (value, names: readonly string[]) =>
      isObject(value) && isSame(Object.keys(value).sort(), [...names].sort()),
  }),
);

const lower = (value: unknown) => String(value).toLowerCase();

/** Names of tests, for the schema. */
export const testNames: readonly string[] = [...tests.keys()];

function passesParts(value: Attributes, parts: Attributes, scope: Scope): boolean {
  return Object.entries(parts).every(([name, pattern]) =>
    matches(Object.hasOwn(value, name) ? value[name] : undefined, pattern, scope),
  );
}

/** Size of a list, an object or a text; 0 for anything else. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value) || typeof value === 'string') return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}
