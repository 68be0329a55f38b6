import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../basics/body.ts';
import { memoized } from '../basics/memoize.ts';
import { ownValue } from '../basics/own-value.ts';
import type { Matcher, MatcherObject, ValueShape } from '../grammar/grammar-check.ts';
import { isDocumentedTimestamp, parseTimestamp } from './timestamp.ts';

/** `unobserved`: the value is absent, and may be. */
export type MatchOutcome = 'passed' | 'failed' | 'unobserved';
type Named = keyof MatcherObject;
type Argument<K extends Named> = Exclude<MatcherObject[K], undefined>;

/** Matches a value; names in the matcher are replaced already, and an absent value is undefined. */
export function match(matcher: Matcher, value: unknown): MatchOutcome {
  if (typeof matcher !== 'object' || matcher === null) return outcome(value === matcher);
  const name = nameOf(matcher);
  return (judges[name] as (argument: unknown, value: unknown) => MatchOutcome)(matcher[name], value);
}

function nameOf(matcher: MatcherObject): Named {
  for (const name in matcher) return name as Named;
  throw new TypeError('a matcher without a key');
}

/** Failed when anything failed, else passed when anything was observed; an empty list passes. */
export function allOf(outcomes: readonly MatchOutcome[]): MatchOutcome {
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.length === 0 || outcomes.includes('passed') ? 'passed' : 'unobserved';
}

/** Passed when anything passed; failed only when nothing was left unobserved. */
export function oneOf(outcomes: readonly MatchOutcome[]): MatchOutcome {
  if (outcomes.includes('passed')) return 'passed';
  return outcomes.includes('unobserved') ? 'unobserved' : 'failed';
}

const judges: { readonly [K in Named]-?: (argument: Argument<K>, value: unknown) => MatchOutcome } = {
  is: (shape, value) => outcome(shapes[shape](value)),
  equals: (expected, value) => outcome(value !== undefined && isDeepStrictEqual(value, expected)),
  'same as': (expected, value) => outcome(value !== undefined && isDeepStrictEqual(value, expected)),
  matching: (pattern, value) => outcome(typeof value === 'string' && expressionOf(pattern).test(value)),
  'starts with': (start, value) => outcome(typeof value === 'string' && value.startsWith(start)),
  'ends with': (end, value) => outcome(typeof value === 'string' && value.endsWith(end)),
  contains: (part, value) => {
    if (typeof value === 'string') return outcome(typeof part === 'string' && value.includes(part));
    return Array.isArray(value) ? oneOf(value.map((element) => match(part, element))) : 'failed';
  },
  'contains exactly': (matchers, value) => outcome(Array.isArray(value) && pairsUp(matchers, value)),
  every: (matcher, value) => (Array.isArray(value) ? allOf(value.map((element) => match(matcher, element))) : 'failed'),
  length: (length, value) => outcome(lengthOf(value) === Number(length)),
  between: ([from, to], value) => outcome(typeof value === 'number' && from <= value && value <= to),
  after: (bound, value) => outcome(compare(value, bound) === 1),
  before: (bound, value) => outcome(compare(value, bound) === -1),
  fields: (fields, value) =>
    isObject(value)
      ? allOf(Object.entries(fields).map(([name, matcher]) => match(matcher, ownValue(value, name))))
      : 'failed',
  not: (matcher, value) => {
    const result = match(matcher, value);
    if (result === 'unobserved') return result;
    // An absent value shows nothing about what it must not be.
    if (result === 'failed' && value === undefined && !checksPresence(matcher)) return 'unobserved';
    return outcome(result === 'failed');
  },
  'when present': (matcher, value) => (value === undefined ? 'unobserved' : match(matcher, value)),
  'one of': (matchers, value) => oneOf(matchers.map((matcher) => match(matcher, value))),
  'all of': (matchers, value) => allOf(matchers.map((matcher) => match(matcher, value))),
};

const shapes: Readonly<Record<ValueShape, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: isObject,
  timestamp: isDocumentedTimestamp,
  present: (value) => value !== undefined,
  absent: (value) => value === undefined,
};

/** A few patterns are used very often. */
const expressionOf = memoized((pattern) => new RegExp(pattern, 'u'), { most: 200 });

function outcome(holds: boolean): MatchOutcome {
  return holds ? 'passed' : 'failed';
}

function checksPresence(matcher: Matcher): boolean {
  return isObject(matcher) && (matcher.is === 'present' || matcher.is === 'absent');
}

/** Whether elements and matchers can be paired one to one. */
function pairsUp(matchers: readonly Matcher[], elements: readonly unknown[]): boolean {
  if (matchers.length !== elements.length) return false;
  const matcherOf: number[] = [];
  const assign = (index: number, tried: Set<number>): boolean =>
    elements.some((element, at) => {
      if (tried.has(at) || match(matchers[index] ?? null, element) !== 'passed') return false;
      tried.add(at);
      const holder = matcherOf[at];
      if (holder !== undefined && !assign(holder, tried)) return false;
      matcherOf[at] = index;
      return true;
    });
  return matchers.every((_, index) => assign(index, new Set()));
}

/** Characters of a text, not its UTF-16 units. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : undefined;
}

/** 1 when the value is later than the bound, -1 when earlier; undefined when either is no timestamp. */
function compare(value: unknown, bound: string): number | undefined {
  const instant = typeof value === 'string' ? parseTimestamp(value) : undefined;
  const limit = parseTimestamp(bound);
  if (instant === undefined || limit === undefined) return undefined;
  if (instant === limit) return 0;
  return instant > limit ? 1 : -1;
}
