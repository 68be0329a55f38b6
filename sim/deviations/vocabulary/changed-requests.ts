/** What deviations make of requests before they are served. */
import type { HttpRequest } from '../../dialects/http-message.ts';
import { jsonBytes } from './bytes.ts';
import { type Described, describedIn } from './representations.ts';

/** The request with other headers; undefined takes one away. */
export function withHeaders(request: HttpRequest, headers: HttpRequest['headers']): HttpRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The request that describes another resource. */
export function describing(request: HttpRequest, { root, attributes }: Described): HttpRequest {
  return { ...request, body: jsonBytes({ [root]: attributes }) };
}

/** What a request would create or update; undefined for one of another method. */
export function toBeWritten({ method, body }: HttpRequest): Described | undefined {
  return method === 'POST' || method === 'PUT' ? describedIn(body) : undefined;
}
