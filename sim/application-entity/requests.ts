/** The requests of an application to its CSE. */

import { randomUUID } from 'node:crypto';
import { isObject, jsonIn } from '../dialects/body.ts';
import type { OutgoingAnswer, Sender } from '../dialects/outgoing-message.ts';

export type RequestAttributes = Readonly<Record<string, unknown>>;

/** The CSE refused a request, or its answer cannot be read. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly method: string;
  readonly path: string;
  /** HTTP status code. */
  readonly status: number;
  /** Response status code of oneM2M, where the CSE sent one. */
  readonly code: number | undefined;
  /** What the CSE said about it: `m2m:dbg`, or the beginning of whatever else the body is; empty when it said nothing. */
  readonly detail: string;

  constructor(method: string, path: string, { status, headers, body }: OutgoingAnswer, problem = '') {
    const code = headers['x-m2m-rsc'];
    const detail = sentenceIn(body);
    const answer = `${method} ${path} was answered with ${status}${code === undefined ? '' : `, RSC ${code}`}`;
    super(`${answer}${problem}${detail === '' ? '' : `: ${detail}`}`);
    this.method = method;
    this.path = path;
    this.status = status;
    this.code = code === undefined ? undefined : Number(code);
    this.detail = detail;
  }
}

export const isMissing = (error: unknown): boolean => error instanceof RequestError && error.status === 404;

const contentType = 'application/vnd.onem2m-res+json';

/** An application, and where its CSE is. Each request rejects with a RequestError or an UnreachableError. */
export interface RequestContext {
  readonly sender: Sender;
  readonly cse: URL;
  readonly originator: string;
}

/** The attributes of the created resource. */
export function create(
  context: RequestContext,
  parent: string,
  root: string,
  attributes: RequestAttributes,
): Promise<RequestAttributes> {
  return exchange(context, 'POST', parent, { [root]: attributes });
}

export function retrieve(context: RequestContext, path: string): Promise<RequestAttributes> {
  return exchange(context, 'GET', path);
}

export function update(
  context: RequestContext,
  path: string,
  root: string,
  attributes: RequestAttributes,
): Promise<RequestAttributes> {
  return exchange(context, 'PUT', path, { [root]: attributes });
}

/** The body of the answer is implementation-defined ("Endpoints", row 8). */
export async function remove(context: RequestContext, path: string): Promise<void> {
  await send(context, 'DELETE', path);
}

/** What the CSE lists below `path`, verbatim: a list of texts, or one text with spaces between them. */
export async function discover(context: RequestContext, path: string, criteria: URLSearchParams): Promise<string[]> {
  const target = `${path}?${new URLSearchParams([...criteria, ['fu', '1']])}`;
  const answer = await send(context, 'GET', target);
  const list = objectIn(answer.body)?.['m2m:uril'];
  if (Array.isArray(list)) return list.map(String);
  if (typeof list === 'string') return list.split(' ').filter((entry) => entry !== '');
  throw new RequestError('GET', target, answer, ', and its body has no list m2m:uril');
}

async function exchange(
  context: RequestContext,
  method: string,
  path: string,
  content?: object,
): Promise<RequestAttributes> {
  const answer = await send(context, method, path, content);
  if (typeof answer.body !== 'string' || answer.body === '') return {};
  const attributes = Object.values(objectIn(answer.body) ?? {})[0];
  if (isObject(attributes)) return attributes;
  throw new RequestError(method, path, answer, ', and its body is no representation of a resource');
}

async function send(
  { sender, cse, originator }: RequestContext,
  method: string,
  path: string,
  content?: object,
): Promise<OutgoingAnswer> {
  const headers = { 'x-m2m-origin': originator, 'x-m2m-ri': randomUUID(), accept: contentType };
  const answer = await sender.send(cse.href.replace(/\/+$/, ''), {
    ...{ method, target: path },
    headers: { ...headers, ...(content && { 'content-type': contentType }) },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new RequestError(method, path, answer);
}

type Body = OutgoingAnswer['body'];

function objectIn(body: Body): RequestAttributes | undefined {
  const value = jsonIn(body);
  return isObject(value) ? value : undefined;
}

const sentenceIn = (body: Body): string =>
  typeof body === 'string' ? String(objectIn(body)?.['m2m:dbg'] ?? body).slice(0, 300) : '';
