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

/** An application, and where its CSE is. */
interface RequestContext {
  readonly sender: Sender;
  readonly cse: URL;
  readonly originator: string;
}

/** Each request rejects with a RequestError or an UnreachableError. */
export class Requests {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** The attributes of the created resource. */
  create(parent: string, root: string, attributes: RequestAttributes): Promise<RequestAttributes> {
    return this.#exchange('POST', parent, { [root]: attributes });
  }

  retrieve(path: string): Promise<RequestAttributes> {
    return this.#exchange('GET', path);
  }

  update(path: string, root: string, attributes: RequestAttributes): Promise<RequestAttributes> {
    return this.#exchange('PUT', path, { [root]: attributes });
  }

  /** The body of the answer is implementation-defined ("Endpoints", row 8). */
  async remove(path: string): Promise<void> {
    await this.#send('DELETE', path);
  }

  /** What the CSE lists below `path`, verbatim: a list of texts, or one text with spaces between them. */
  async discover(path: string, criteria: URLSearchParams): Promise<string[]> {
    const target = `${path}?${new URLSearchParams([...criteria, ['fu', '1']])}`;
    const answer = await this.#send('GET', target);
    const list = objectIn(answer.body)?.['m2m:uril'];
    if (Array.isArray(list)) return list.map(String);
    if (typeof list === 'string') return list.split(' ').filter((entry) => entry !== '');
    throw new RequestError('GET', target, answer, ', and its body has no list m2m:uril');
  }

  async #exchange(method: string, path: string, content?: object): Promise<RequestAttributes> {
    const answer = await this.#send(method, path, content);
    if (typeof answer.body !== 'string' || answer.body === '') return {};
    const attributes = Object.values(objectIn(answer.body) ?? {})[0];
    if (isObject(attributes)) return attributes;
    throw new RequestError(method, path, answer, ', and its body is no representation of a resource');
  }

  async #send(method: string, path: string, content?: object): Promise<OutgoingAnswer> {
    const { sender, cse, originator } = this.#context;
    const headers = { 'x-m2m-origin': originator, 'x-m2m-ri': randomUUID(), accept: contentType };
    const answer = await sender.send(cse.href.replace(/\/+$/, ''), {
      ...{ method, target: path },
      headers: { ...headers, ...(content && { 'content-type': contentType }) },
      ...(content && { body: JSON.stringify(content) }),
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw new RequestError(method, path, answer);
  }
}

type Body = OutgoingAnswer['body'];

function objectIn(body: Body): RequestAttributes | undefined {
  const value = jsonIn(body);
  return isObject(value) ? value : undefined;
}

const sentenceIn = (body: Body): string =>
  typeof body === 'string' ? String(objectIn(body)?.['m2m:dbg'] ?? body).slice(0, 300) : '';

// Paths as applications write them, and as discovery lists them, made into request targets.

/**
 * `/onem2m/App/c`, `/~/mn-cse-1/onem2m/App/c` and `/_/openmtc.org/mn-cse-1/onem2m/App/c` are taken as they are, an absolute
 * identifier (`//openmtc.org/mn-cse-1/…`) in the form that HTTP has for it. A path without a slash at its beginning is one
 * below the application, `c` or `devices/Temp-1`, written with the names as they are.
 */
export function requestPath(path: string, application: string): string {
  if (path.startsWith('//')) return `/_${path.slice(1)}`;
  return path.startsWith('/') ? path : `${application}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * The target for an address that a CSE lists: a slash at its beginning means relative to the service provider, two mean
 * absolute, and none means relative to the CSE. One that begins with the CSE base, or is a target already, stays as it is.
 */
export function listedPath(address: string, base: string): string {
  if (!address.startsWith('/')) return `/${address}`;
  if (address.startsWith('//')) return `/_${address.slice(1)}`;
  return /^\/[~_]\//.test(address) || `${address}/`.startsWith(`${base}/`) ? address : `/~${address}`;
}

interface NewLocation {
  /** Request target of what exists already. */
  readonly parent: string;
  /** Names below it, down to the new resource. */
  readonly names: readonly string[];
}

/** Where a new resource goes: `devices/Temp-1` below `parent`, or, where it begins with a slash, below its own parent. */
export function newLocationOf(path: string, parent: string): NewLocation {
  if (!path.startsWith('/')) return { parent, names: path.split('/') };
  const cut = path.lastIndexOf('/');
  return { parent: path.slice(0, cut), names: [decodeURIComponent(path.slice(cut + 1))] };
}
