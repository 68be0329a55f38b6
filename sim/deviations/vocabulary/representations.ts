/** What deviations look at in bodies: JSON values, and the resources that they describe or show. */
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { textOf } from './bytes.ts';

export type Attributes = Record<string, unknown>;

export interface Described {
  /** `m2m:cnt`, or the root of a flexible container. */
  readonly root: string;
  readonly attributes: Attributes;
}

type Body = HttpRequest['body'] | HttpResponse['body'];

export function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value of a body; undefined when it has none. */
export function jsonIn(body: Body): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(typeof body === 'string' ? body : textOf(body));
  } catch {
    return undefined;
  }
}

/** The resource that a body describes by its only key. */
export function describedIn(body: Body): Described | undefined {
  const value = jsonIn(body);
  const [[root, attributes] = [], ...more] = isObject(value) ? Object.entries(value) : [];
  return root !== undefined && isObject(attributes) && more.length === 0 ? { root, attributes } : undefined;
}

/** Every object in a JSON value, with the key under which it stands; the elements of a list stand under that of the list. */
export function eachObject(value: unknown, visit: (object: Attributes, key: string) => void, key = ''): void {
  if (Array.isArray(value)) for (const element of value) eachObject(element, visit, key);
  else if (isObject(value)) {
    visit(value, key);
    for (const [name, inner] of Object.entries(value)) eachObject(inner, visit, name);
  }
}

/** The JSON value with another representation for each one that it holds at any depth: an object with `ri` and `ty`. */
export function eachResource(value: unknown, change: (attributes: Attributes) => Attributes): unknown {
  if (Array.isArray(value)) return value.map((one) => eachResource(one, change));
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachResource(one, change)]));
  return 'ri' in inner && 'ty' in inner ? change(inner) : inner;
}
