/** What faults and quirks make of requests before they are served. */
import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import type { Attributes } from './asked.ts';
import { changingRequests } from './blocks.ts';
import { jsonBytes } from './bytes.ts';
import { type Described, describedIn } from './representations.ts';

/** The path of a request, as it was sent. */
export function pathOf({ target }: HttpRequest): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

export function queryOf({ target }: HttpRequest): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

/** The request for another path and query. */
export function asking(request: HttpRequest, path: string, query: URLSearchParams): HttpRequest {
  const text = query.toString();
  return { ...request, target: text === '' ? path : `${path}?${text}` };
}

/** The request with other headers; undefined takes one away. */
export function withHeaders(request: HttpRequest, headers: HttpRequest['headers']): HttpRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The request that describes another resource. */
export function describing(request: HttpRequest, { root, attributes }: Described): HttpRequest {
  return { ...request, body: jsonBytes({ [root]: attributes }) };
}

/** What a request would create; undefined for one of another method. */
export function toBeCreated({ method, body }: HttpRequest): Described | undefined {
  return method === 'POST' ? describedIn(body) : undefined;
}

/** What a request would create or update; undefined for one of another method. */
export function toBeWritten({ method, body }: HttpRequest): Described | undefined {
  return method === 'POST' || method === 'PUT' ? describedIn(body) : undefined;
}

/** Changes what is to be created, before it is; undefined leaves it as it is. */
export function changingCreates(change: (described: Described) => Attributes | undefined): Wrap {
  return changingRequests((request) => {
    const described = toBeCreated(request);
    const attributes = described && change(described);
    return attributes && describing(request, { root: described.root, attributes });
  });
}
