import { getOrAdd } from '../basics/memoize.ts';
import type { Matcher, MatcherObject } from '../grammar/grammar-check.ts';
import { onlyName, replaceNames } from '../grammar/names.ts';

/** A value, or the reason why there is none: a capture found nothing. */
export type NamedValue = { readonly value: unknown } | { readonly missing: string };
export type Names = ReadonlyMap<string, NamedValue>;

/** A step or check uses a name that has no value; becomes a blocked step or a check that is not testable. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
}

/** Replaces names in every text of a JSON value; a text that is nothing but `${name}` takes the value with its type. */
export function interpolate<T>(value: T, names: Names): T {
  return withTexts(value, (text) => interpolateText(text, names)) as T;
}

/** Replaces each text in a JSON value; keys stay. */
export function withTexts(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((element) => withTexts(element, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, replace)]));
}

/** Like interpolate for one text, but the result is always a text. */
export function interpolateToText(text: string, names: Names): string {
  return replaceNames(text, (name) => asText(lookUp(name, names)));
}

function interpolateText(text: string, names: Names): unknown {
  const name = onlyName(text);
  return name === undefined ? interpolateToText(text, names) : lookUp(name, names);
}

function lookUp(name: string, names: Names): unknown {
  const named = names.get(name);
  if (named === undefined) throw new MissingValue(`nothing is called "${name}"`);
  if ('missing' in named) throw new MissingValue(named.missing);
  return named.value;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Replaces names in a matcher. A captured list or object is compared as a value; it never becomes a matcher. */
export function interpolateMatcher(matcher: Matcher, names: Names): Matcher {
  if (typeof matcher === 'string') {
    const value = interpolateText(matcher, names);
    return (typeof value === 'object' && value !== null ? { equals: value } : value) as Matcher;
  }
  if (typeof matcher !== 'object' || matcher === null || !getOrAdd(named, matcher, () => hasNames(matcher)))
    return matcher;
  const entries = Object.entries(matcher).map(([key, argument]) => interpolateNamed(key, argument, names));
  return Object.fromEntries(entries) as MatcherObject;
}

/** Whether a matcher refers to names; cached, as many exchanges share it. */
const named = new WeakMap<object, boolean>();

/** Whether a text in it refers to a name; most matchers do not, and stay unchanged. */
function hasNames(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasNames);
}

/** Matchers whose argument is a matcher; the text of any other is plain text. */
const nesting = new Set(['contains', 'every', 'not', 'when present']);

function interpolateNamed(key: string, argument: unknown, names: Names): [string, unknown] {
  const inner = (one: unknown) => interpolateMatcher(one as Matcher, names);
  if (key === 'equals' || key === 'same as') return ['equals', interpolate(argument, names)];
  if (key === 'matching') return [key, replaceNames(String(argument), (name) => literal(asText(lookUp(name, names))))];
  if (nesting.has(key)) return [key, inner(argument)];
  if (Array.isArray(argument)) return [key, argument.map(inner)];
  if (typeof argument === 'object' && argument !== null)
    return [key, Object.fromEntries(Object.entries(argument).map(([name, one]) => [name, inner(one)]))];
  return [key, typeof argument === 'string' ? interpolateToText(argument, names) : argument];
}

/** Escaped for a regular expression. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
