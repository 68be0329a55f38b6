/** Selects the exchanges of a row. */
import { isObject } from '../../dialects/body.ts';
import type { Attributes } from '../vocabulary/messages.ts';
import { answerParts } from './exchange.ts';
import { matches, type Pattern, sizeOf } from './pattern.ts';
import { at, type Scope } from './scope.ts';
import { type Term, valueFor } from './term.ts';

/**
 * Conditions that must all hold: an operation with the root of its resource (`create: m2m:grp`, `retrieve: any`), requested or returned
 * attributes and query parameters, and any part of the exchange with a pattern (`requested.mid: { count: 2 }`).
 */
export type Selector = Readonly<Record<string, unknown>>;

/** True if the scope matches. Conditions on later parts are checked later. */
export type ScopeMatcher = (scope: Scope) => boolean;

/** Separates conditions on the request from those on the answer. */
export function matchersOf(selector: Selector): { readonly before: ScopeMatcher; readonly after: ScopeMatcher } {
  const all = Object.entries(selector);
  return { before: allOf(all.filter((one) => !needsAnswer(one))), after: allOf(all.filter(needsAnswer)) };
}

/** Whether any part of a condition concerns the answer. */
function needsAnswer([key, value]: readonly [string, unknown]): boolean {
  if (key === 'not' || key === 'either' || key === 'both')
    return [value].flat().some((one) => isObject(one) && Object.entries(one).some(needsAnswer));
  return answerParts.has(key.split('.')[0] ?? '') || key === 'returning' || key === 'not-returning';
}

type Condition = readonly [key: string, value: unknown];

function allOf(conditions: readonly Condition[]): ScopeMatcher {
  const all = conditions.map(([key, value]) => conditionOf(key, value));
  return (scope) => all.every((one) => one(scope));
}

function conditionOf(key: string, value: unknown): ScopeMatcher {
  return keywords.get(key)?.(value as never) ?? ((scope) => matches(at(key, scope), value, scope));
}

const isMethod = (method: string) => (scope: Scope) => at('method', scope) === method;
const isVirtual = (scope: Scope) => at('virtual', scope) !== undefined;

/** At a resource by its own address, not a virtual one. */
const ofTarget =
  (method: string) =>
  (root: Pattern): ScopeMatcher =>
  (scope) =>
    isMethod(method)(scope) &&
    !isVirtual(scope) &&
    at('discovery', scope) !== true &&
    (root === 'any' || matches(at('target.root', scope), root, scope));

const creates =
  (root: Pattern): ScopeMatcher =>
  (scope) =>
    isMethod('POST')(scope) && !isVirtual(scope) && (root === 'any' || matches(at('root', scope), root, scope));

/** To the members of a group, by this method, alternatives or any. */
const fansOut =
  (method: Pattern): ScopeMatcher =>
  (scope) =>
    matches(at('virtual', scope), { matching: '^/fopt' }, scope) &&
    at('target.root', scope) === 'm2m:grp' &&
    (method === 'any' || matches(at('method', scope), method, scope));

/** The whole resource: without a query or fragment. */
const retrievesWhole =
  (root: Pattern): ScopeMatcher =>
  (scope) =>
    sizeOf(at('query', scope)) === 0 && at('fragment', scope) === undefined && ofTarget('GET')(root)(scope);

/** Present names, or names with patterns. */
function naming(part: string, isThere: boolean): (value: string | readonly string[] | Attributes) => ScopeMatcher {
  return (value) => (scope) => {
    const whole = at(part, scope);
    if (!isObject(whole)) return false;
    const entries = isObject(value)
      ? Object.entries(value)
      : [value].flat().map((name) => [String(name), undefined] as const);
    return entries.every(([name, pattern]) => {
      const has = Object.hasOwn(whole, name);
      return isThere ? has && (pattern === undefined || matches(whole[name], pattern, scope)) : !has;
    });
  };
}

/** Combines selectors. */
const ofSeveral =
  (combine: (scope: Scope, each: readonly ScopeMatcher[]) => boolean) =>
  (selectors: Selector | readonly Selector[]): ScopeMatcher => {
    const each = [selectors].flat().map((one) => allOf(Object.entries(one)));
    return (scope) => combine(scope, each);
  };

const keywords: ReadonlyMap<string, (value: never) => ScopeMatcher> = new Map(
  Object.entries<(value: never) => ScopeMatcher>({
    create: creates,
    retrieve: ofTarget('GET'),
    update: ofTarget('PUT'),
    delete: ofTarget('DELETE'),
    'fan-out': fansOut,
    'retrieve-whole': retrievesWhole,
    with: naming('requested', true),
    without: naming('requested', false),
    'with-query': naming('query', true),
    'without-query': naming('query', false),
    returning: naming('returned', true),
    'not-returning': naming('returned', false),
    not: ofSeveral((scope, each) => !each.every((is) => is(scope))),
    either: ofSeveral((scope, each) => each.some((is) => is(scope))),
    both: ofSeveral((scope, each) => each.every((is) => is(scope))),
  }),
);

/** Keywords of selectors beside the parts of exchanges, for the schema. */
export const selectorWords: readonly string[] = [...keywords.keys()];

// Which of the matches: one in so many, those from the n-th on, or up to it.

export interface Nth {
  readonly every?: Term;
  readonly from?: Term;
  readonly 'up-to'?: Term;
  /** Counts separately for each value of it. */
  readonly per?: Term;
}

interface Counting {
  readonly isOne: (scope: Scope) => boolean;
  /** The number so far. */
  readonly last: () => number;
}

export function counting(nth: Nth = {}): Counting {
  let latest = 0;
  const counts = new Map<unknown, number>();
  const isOne = (scope: Scope) => {
    const number = (term: Term, otherwise: number) => (term === undefined ? otherwise : Number(valueFor(term, scope)));
    const key = nth.per === undefined ? '' : valueFor(nth.per, scope);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    latest = count;
    const { every, from, 'up-to': last } = nth;
    return (
      count % number(every, 1) === 0 && count >= number(from, 1) && count <= number(last, Number.POSITIVE_INFINITY)
    );
  };
  return { isOne, last: () => latest };
}
