/** Values in rows: literals, paths (`$requested.mid`), texts with paths in them, and functions of the former value. */
import { isObject, jsonIn } from '../../dialects/body.ts';
import { readTimestamp, writeBasicTimestamp, writeTimestamp } from '../../dialects/timestamp.ts';
import { type Attributes, base64Bytes, bytesOf, textOf as decoded, hexOf, latin1Of } from '../vocabulary/messages.ts';
import { expressionOf, matches, type Pattern, sizeOf } from './pattern.ts';
import { at, filled, inner, type Scope } from './scope.ts';

/** A literal, a path behind `$`, or an object with one function and its argument: `{ plus: 1 }`. */
export type Term = unknown;

/** The value of a term; `was` is the former value. */
export function valueFor(term: Term, scope: Scope, was?: unknown): unknown {
  if (typeof term === 'string') return textOf(term, scope);
  if (!isObject(term)) return term;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(term);
  const apply = more.length === 0 ? functions.get(name) : undefined;
  return apply === undefined ? term : apply(was, argument as never, scope);
}

function textOf(text: string, scope: Scope): unknown {
  if (/^\$[a-z]/i.test(text)) return at(text.slice(1), scope);
  return filled(text, scope);
}

/** Changes attributes, at names or at paths within them (`pv.acr.acop`); `{ absent: true }` removes one. */
export function changedBy(terms: Attributes, was: Attributes, scope: Scope): Attributes {
  return namedIn(terms, scope).reduce((one, [path, term, own]) => changedAt(one, path.split('.'), term, own), was);
}

/** In place of a name, `$path` is each name in a list, which its term sees as `$name`. */
export function namedIn(terms: Attributes, scope: Scope): readonly (readonly [string, Term, Scope])[] {
  return Object.entries(terms).flatMap(([name, term]) => {
    const names = name.startsWith('$') ? [at(name.slice(1), scope) ?? []].flat().map(String) : [name];
    return names.map((one) => [one, term, scope.with({ name: () => one })] as const);
  });
}

function changedAt(was: Attributes, [name = '', ...inner]: readonly string[], term: Term, scope: Scope): Attributes {
  const value = inner.length === 0 ? valueFor(term, scope, was[name]) : changedIn(was[name], inner, term, scope);
  return value === undefined ? only(was, (other) => other !== name) : { ...was, [name]: value };
}

/** Within each element of a list. */
function changedIn(was: unknown, path: readonly string[], term: Term, scope: Scope): unknown {
  if (Array.isArray(was)) return was.map((one) => changedIn(one, path, term, scope));
  return isObject(was) ? changedAt(was, path, term, scope) : was;
}

function only(attributes: Attributes, isMatch: (name: string, value: unknown) => boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => isMatch(name, value)));
}

type Apply = (was: unknown, argument: never, scope: Scope) => unknown;

const ofNumber =
  (change: (was: number, by: number) => number) =>
  (was: unknown, by: Term, scope: Scope): unknown =>
    typeof was === 'number' ? change(was, Number(valueFor(by, scope))) : was;

const ofList =
  (change: (was: readonly unknown[], argument: never, scope: Scope) => unknown) =>
  (was: unknown, argument: never, scope: Scope): unknown =>
    Array.isArray(was) ? change(was, argument, scope) : was;

/** For a text, and for each one in a list. */
const ofText = (change: (was: string, argument: never, scope: Scope) => unknown) =>
  function ofTexts(was: unknown, argument: never, scope: Scope): unknown {
    if (Array.isArray(was)) return was.map((one) => ofTexts(one, argument, scope));
    return typeof was === 'string' ? change(was, argument, scope) : was;
  };

const ofTime =
  (write: (time: number) => unknown) =>
  (was: unknown): unknown => {
    const time = typeof was === 'string' ? readTimestamp(was) : undefined;
    return time === undefined ? was : write(time);
  };

const microseconds = 1_000_000;

const reversed = (was: unknown) => (Array.isArray(was) ? was.toReversed() : was);

const byPart = (name: string) => (one: unknown, other: unknown) =>
  String(inner(one, name)) < String(inner(other, name)) ? -1 : 1;

const functions: ReadonlyMap<string, Apply> = new Map(
  Object.entries<Apply>({
    // Values.
    literal: (_was, literal: unknown) => literal,
    absent: () => undefined,
    'first-of': (was, terms: readonly Term[], scope) =>
      terms.map((term) => valueFor(term, scope, was)).find((value) => value !== undefined),
    pipe: (was, terms: readonly Term[], scope) => terms.reduce((value, term) => valueFor(term, scope, value), was),
    if: (was, [pattern, then, otherwise]: [Pattern, Term, Term?], scope) => {
      if (matches(was, pattern, scope)) return valueFor(then, scope, was);
      return otherwise === undefined ? was : valueFor(otherwise, scope, was);
    },
    // Numbers.
    plus: ofNumber((was, by) => was + by),
    times: ofNumber((was, by) => was * by),
    modulo: ofNumber((was, by) => was % by),
    'at-most': ofNumber(Math.min),
    'with-bits': ofNumber((was, by) => was | by),
    'without-bits': ofNumber((was, by) => was & ~by),
    number: (was) => (was === undefined ? was : Number(was)),
    // Texts, and each text in a list.
    text: (was) => (isObject(was) ? JSON.stringify(was) : was === undefined ? was : String(was)),
    lower: ofText((was) => was.toLowerCase()),
    upper: ofText((was) => was.toUpperCase()),
    truncate: ofText((was, length: number) => [...was].slice(0, length).join('')),
    replace: ofText((was, [from, to]: [string, string], scope) =>
      was.replace(expressionOf(from, scope), filled(to, scope)),
    ),
    translate: ofText((was, [from, to]: [string, string]) =>
      [...was].map((one) => to[from.indexOf(one)] ?? one).join(''),
    ),
    'from-base64': ofText((was) => decoded(base64Bytes(was))),
    'from-json': ofText((was) => jsonIn(was) ?? was),
    'latin-1': ofText((was) => latin1Of(bytesOf(was))),
    hex: (was) => (typeof was === 'string' || was instanceof Uint8Array ? hexOf(asBytes(was)) : was),
    extended: ofTime(writeTimestamp),
    basic: ofTime(writeBasicTimestamp),
    seconds: ofTime((time) => Math.floor(time / microseconds)),
    'plus-seconds': (was, seconds: number) =>
      ofTime((time) => writeLike(String(was), time + seconds * microseconds))(was),
    // Lists.
    count: (was, pattern: Pattern, scope) =>
      pattern === null || pattern === true ? sizeOf(was) : matchesIn(was, pattern, scope).length,
    first: (was, most: number) => (isObject(was) ? firstOf(was, most) : Array.isArray(was) ? was.slice(0, most) : was),
    last: ofList((was, most: number) => was.slice(-most)),
    'without-first': ofList((was, count: number) => was.slice(count)),
    'without-last': ofList((was, count: number) => was.slice(0, -count)),
    item: ofList((was, index: number) => was.at(index)),
    reverse: (was) => (typeof was === 'string' ? [...was].reverse().join('') : reversed(was)),
    sort: ofList((was, by: string | true) => (by === true ? was.toSorted() : was.toSorted(byPart(by)))),
    join: ofList((was, between: string) => was.join(between)),
    unique: ofList((was, name: string | true) => onceEach(was, name)),
    sum: ofList((was) => was.reduce<number>((sum, one) => sum + Number(one), 0)),
    flat: ofList((was) => was.flat()),
    map: ofList((was, term: Term, scope) => {
      const withEntry = (entry: unknown) => scope.with({ entry: () => entry });
      return was.map((one) => valueFor(term, withEntry(one), one)).filter((one) => one !== undefined);
    }),
    filter: ofList(matchesIn),
    append: ofList((was, term: Term, scope) => [...was, ...[valueFor(term, scope, was)].flat()]),
    prepend: ofList((was, term: Term, scope) => [...[valueFor(term, scope, was)].flat(), ...was]),
    list: (was, terms: readonly Term[], scope) => terms.map((term) => valueFor(term, scope, was)),
    // Objects.
    get: (was, path: string, scope) => filled(path, scope).split('.').reduce(inner, was),
    set: (was, terms: Attributes, scope) => (isObject(was) ? changedBy(terms, was, scope) : was),
    omit: (was, names: Pattern, scope) => (isObject(was) ? omitted(was, names, scope) : was),
    pick: (was, names: readonly string[]) => (isObject(was) ? only(was, (name) => names.includes(name)) : was),
    'map-values': (was, term: Term, scope) =>
      isObject(was) ? changedBy(Object.fromEntries(Object.keys(was).map((name) => [name, term])), was, scope) : was,
    'filter-values': (was, pattern: Pattern, scope) =>
      isObject(was) ? only(was, (_name, value) => matches(value, pattern, scope)) : was,
    object: (_was, terms: Attributes, scope) => changedBy(terms, {}, scope),
  }),
);

const asBytes = (value: string | Uint8Array) => (typeof value === 'string' ? bytesOf(value) : value);

/** Removes duplicates, or elements with the same value under a name, after the first. */
function onceEach(was: readonly unknown[], name: string | true): unknown[] {
  const keys = was.map((one) => JSON.stringify(typeof name === 'string' && isObject(one) ? one[name] : one));
  return was.filter((_one, index) => keys.indexOf(keys[index] ?? '') === index);
}

/** Names of functions, for the schema. */
export const functionNames: readonly string[] = [...functions.keys()];

/** `names` are names, or a pattern that names match. */
export function omitted(attributes: Attributes, names: Pattern, scope: Scope): Attributes {
  const pattern = typeof names === 'string' ? valueFor(names, scope) : names;
  return only(attributes, (name) => !matches(name, pattern, scope));
}

function matchesIn(was: unknown, pattern: Pattern, scope: Scope): readonly unknown[] {
  return Array.isArray(was) ? was.filter((one) => matches(one, pattern, scope)) : [];
}

function firstOf(attributes: Attributes, most: number): Attributes {
  return Object.fromEntries(Object.entries(attributes).slice(0, most));
}

/** In the form of another timestamp. */
function writeLike(other: string, time: number): string {
  return other.includes('-') ? writeTimestamp(time) : writeBasicTimestamp(time);
}
