/** Reads and changes requests and answers for deviations. */
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';

export type Attributes = Record<string, unknown>;

export interface DescribedResource {
  /** `m2m:cnt`, or the root of a flexible container. */
  readonly root: string;
  readonly attributes: Attributes;
}

type Body = HttpRequest['body'] | HttpResponse['body'];

/** The resource in a body with a single root key. */
export function resourceIn(body: Body): DescribedResource | undefined {
  const value = jsonIn(body);
  const [[root, attributes] = [], ...more] = isObject(value) ? Object.entries(value) : [];
  return root !== undefined && isObject(attributes) && more.length === 0 ? { root, attributes } : undefined;
}

/** Changes each representation in a JSON value, at any depth: an object with `ri` and `ty`. */
export function eachResource(value: unknown, change: (attributes: Attributes) => Attributes): unknown {
  if (Array.isArray(value)) return value.map((one) => eachResource(one, change));
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachResource(one, change)]));
  return 'ri' in inner && 'ty' in inner ? change(inner) : inner;
}

export interface RequestView {
  readonly method: string;
  /** As sent, without a trailing slash and the query. */
  readonly path: string;
  readonly slashAtEnd: boolean;
  readonly query: URLSearchParams;
  /** True for `fu=1`. */
  readonly discovery: boolean;
}

export function viewOf({ method, target }: HttpRequest): RequestView {
  const [whole, query] = splitTarget(target);
  const slashAtEnd = whole.length > 1 && whole.endsWith('/');
  const path = slashAtEnd ? whole.slice(0, -1) : whole;
  const discovery = query.get('fu') === '1';
  return { method, path, slashAtEnd, query, discovery };
}

function splitTarget(target: string): [path: string, query: URLSearchParams] {
  const [path = ''] = target.split('?', 1);
  return [path, new URLSearchParams(target.slice(path.length))];
}

export const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300;

/** The addresses of a discovery result. */
export function foundIn(body: Body): string[] | undefined {
  const value = jsonIn(body);
  const list = isObject(value) ? value['m2m:uril'] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** The request for another path; its query stays. */
export function withPath(request: HttpRequest, path: string): HttpRequest {
  return { ...request, target: request.target.replace(/^[^?]*/, () => path) };
}

/** The request with other query parameters; its path stays. */
export function withQuery(request: HttpRequest, change: (query: URLSearchParams) => void): HttpRequest {
  const [path, query] = splitTarget(request.target);
  change(query);
  return { ...request, target: `${path}?${query}` };
}

/** The resource of a create or update; undefined for other methods. */
export function writtenResource({ method, body }: HttpRequest): DescribedResource | undefined {
  return method === 'POST' || method === 'PUT' ? resourceIn(body) : undefined;
}

/** The response status code; NaN without one. Answers of others have headers in lower case. */
export function codeOf({ headers }: HttpResponse): number {
  return Number(headers['X-M2M-RSC'] ?? headers['x-m2m-rsc']);
}

/** Headers that an answer echoes from its request. */
export function echoOf({ headers }: HttpRequest): HttpResponse['headers'] {
  const { 'x-m2m-ri': identifier, 'x-m2m-rvi': release } = headers;
  return {
    ...(identifier !== undefined && { 'X-M2M-RI': identifier }),
    ...(release !== undefined && { 'X-M2M-RVI': release }),
  };
}

/** The answer with these headers added or replaced. */
export function withHeaders(answer: HttpResponse, headers: HttpResponse['headers']): HttpResponse {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

export function withoutHeaders(answer: HttpResponse, ...names: readonly string[]): HttpResponse {
  const kept = Object.entries(answer.headers).filter(([name]) => !names.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

/** The answer with another JSON value in its body. */
export function withBody(answer: HttpResponse, value: unknown): HttpResponse {
  return { ...answer, body: JSON.stringify(value) };
}

interface Bodied {
  readonly body?: HttpRequest['body'] | string;
}

/** With this value as body, in bytes or text as before. */
export function withJson<R extends Bodied>(request: R, value: unknown): R {
  return { ...request, body: request.body instanceof Uint8Array ? jsonBytes(value) : JSON.stringify(value) };
}

type Change = (was: Attributes) => Attributes;

/** With other attributes of its resource, or another root. */
export function withAttributes<R extends Bodied>(request: R, change: Change, root?: string): R {
  const resource = resourceIn(request.body ?? '');
  return resource === undefined ? request : withJson(request, { [root ?? resource.root]: change(resource.attributes) });
}

// Texts and bytes in UTF-8, on every platform.
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const noBytes: Uint8Array = new Uint8Array(0);

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Invalid UTF-8 becomes U+FFFD. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The bytes of a value's JSON. */
export const jsonBytes = (value: unknown): Uint8Array => bytesOf(JSON.stringify(value));

/** Each byte as the letter of Latin-1 with its number. */
export const latin1Of = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** Two hexadecimal digits for each byte. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of a base64 text, ignoring other characters. */
export function base64Bytes(text: string): Uint8Array {
  const letters = text.replace(/=.*$/s, '').replace(/[^A-Za-z0-9+/]/g, '');
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}
