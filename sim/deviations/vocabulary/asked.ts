/** What deviations look at in a request and its answer. */
import { resolve } from '../../core/address.ts';
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { textOf } from './bytes.ts';
import { type Attributes, isObject } from './representations.ts';

export interface Asked {
  readonly method: string;
  /** As it was sent, without the slash at its end and without the query. */
  readonly path: string;
  readonly slashAtEnd: boolean;
  readonly query: URLSearchParams;
  /** True for `fu=1`. */
  readonly discovery: boolean;
}

export function asked({ method, target }: HttpRequest): Asked {
  const mark = target.indexOf('?');
  const whole = mark < 0 ? target : target.slice(0, mark);
  const slashAtEnd = whole.length > 1 && whole.endsWith('/');
  const path = slashAtEnd ? whole.slice(0, -1) : whole;
  const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const discovery = query.get('fu') === '1';
  return { method, path, slashAtEnd, query, discovery };
}

export type Kind = 'm2m:ae' | 'm2m:cnt' | 'm2m:cin';

export const kinds: readonly Kind[] = ['m2m:ae', 'm2m:cnt', 'm2m:cin'];

export const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300;

type Body = HttpResponse['body'];

/** The JSON value of a body, undefined when it has none. */
export function json(body: Body): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

/** The resource that a body represents by its only key. */
export function shownIn(body: Body): { kind: Kind; attributes: Attributes } | undefined {
  const value = json(body);
  if (!isObject(value)) return undefined;
  const kind = kinds.find((root) => isObject(value[root]));
  return kind === undefined ? undefined : { kind, attributes: value[kind] as Attributes };
}

/** The resource that the body of a request describes. */
export const sentIn = ({ body }: HttpRequest) => shownIn(textOf(body));

/** The addresses of a discovery result. */
export function foundIn(body: Body): string[] | undefined {
  const value = json(body);
  const list = isObject(value) ? value['m2m:uril'] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** The resource that the path of a request leads to. */
export function resourceAtPath(path: string, core: Cse): Resource | undefined {
  if (path.startsWith('/~/')) return resourceAt(path.slice(2), core);
  return resourceAt(path.startsWith('/_/') ? `/${path.slice(2)}` : path.slice(1), core);
}

/** The resource at an address as a discovery answers it. */
export function resourceAt(address: string, { tree, configuration }: Cse): Resource | undefined {
  try {
    return resolve(decodeURIComponent(address), tree, configuration).resource;
  } catch {
    return undefined;
  }
}
