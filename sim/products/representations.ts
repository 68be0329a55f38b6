/** What quirks look at in messages: representations of any kind, wherever they stand in a body. */
import type { HttpRequest, HttpResponse } from '../dialects/http-message.ts';

export type Members = Record<string, unknown>;

export interface Shown {
  /** `m2m:cnt`, or the root of a flexible container. */
  readonly root: string;
  readonly attributes: Members;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value of a text body; undefined when it has none. */
export function jsonOf(body: HttpResponse['body'] | HttpRequest['body']): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/** The one resource that a body describes by its only key. */
export function shownIn(body: HttpResponse['body'] | HttpRequest['body']): Shown | undefined {
  const value = jsonOf(body);
  if (!isMembers(value)) return undefined;
  const [[root, attributes] = []] = Object.entries(value);
  return root !== undefined && isMembers(attributes) ? { root, attributes } : undefined;
}

/** The same request with other attributes of the resource that it describes. */
export function sending(request: HttpRequest, { root, attributes }: Shown): HttpRequest {
  return { ...request, body: Buffer.from(JSON.stringify({ [root]: attributes })) };
}

/**
 * Calls `change` for each representation of a resource in a JSON value, at any depth, and replaces it by what comes back.
 * A representation is an object with `ri` and `ty`.
 */
export function eachResource(value: unknown, change: (attributes: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((one) => eachResource(one, change));
  if (!isMembers(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachResource(one, change)]));
  return 'ri' in inner && 'ty' in inner ? change(inner) : inner;
}

/** A refusal as the reference CSE words it. */
export function refused(status: number, code: number, request: HttpRequest, says = 'Refused.'): HttpResponse {
  const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = request.headers;
  const headers = {
    'X-M2M-RSC': String(code),
    ...(identifier !== undefined && { 'X-M2M-RI': identifier }),
    ...(release !== undefined && { 'X-M2M-RVI': release }),
    'Content-Type': 'application/json',
  };
  return { status, headers, body: JSON.stringify({ 'm2m:dbg': says }) };
}

/** The same answer with another code and status. */
export function recoded(answer: HttpResponse, status: number, code: number): HttpResponse {
  return { ...answer, status, headers: { ...answer.headers, 'X-M2M-RSC': String(code) } };
}

export function codeOf({ headers }: HttpResponse): number {
  return Number(headers['X-M2M-RSC']);
}

/** The answer without one of its headers. */
export function withoutHeaders(answer: HttpResponse, ...names: readonly string[]): HttpResponse {
  const kept = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

/** The same request with other headers; undefined takes one away. */
export function withHeaders(request: HttpRequest, headers: HttpRequest['headers']): HttpRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The query of a request. */
export function queryOf({ target }: HttpRequest): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

/** The path of a request, as it was sent. */
export function pathOf({ target }: HttpRequest): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/** The request for another path and query. */
export function asking(request: HttpRequest, path: string, query: URLSearchParams): HttpRequest {
  const text = query.toString();
  return { ...request, target: text === '' ? path : `${path}?${text}` };
}
