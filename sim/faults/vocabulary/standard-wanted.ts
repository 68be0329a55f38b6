/** One request on its way through a fault of the standard, and which requests such a fault is about. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import { type Asked, asked, resourceAtPath } from './asked.ts';
import { toBeWritten } from './changed-requests.ts';
import type { Described } from './representations.ts';

/** What is looked at is looked up when somebody first asks for it. */
export class Exchange {
  readonly request: HttpRequest;
  readonly core: Cse;
  #about: Asked | undefined;
  #sent: { readonly described: Described | undefined } | undefined;
  #target: { readonly resource: Resource | undefined } | undefined;

  constructor(request: HttpRequest, core: Cse) {
    this.request = request;
    this.core = core;
  }

  get method(): string {
    return this.request.method;
  }

  get path(): string {
    return this.about.path;
  }

  get query(): URLSearchParams {
    return this.about.query;
  }

  get about(): Asked {
    this.#about ??= asked(this.request);
    return this.#about;
  }

  get originator(): string {
    return this.request.headers['x-m2m-origin'] ?? '';
  }

  /** What a create or an update describes. */
  get sent(): Described | undefined {
    this.#sent ??= { described: toBeWritten(this.request) };
    return this.#sent.described;
  }

  /** What the path leads to, without an attribute behind it; to be asked for before the request is served. */
  get target(): Resource | undefined {
    this.#target ??= { resource: resourceAtPath(this.path.replace(/%23.*$/, ''), this.core) };
    return this.#target.resource;
  }

  /** What stands one name above what the path leads to, whether anything does or not. */
  get above(): Resource | undefined {
    return resourceAtPath(this.path.replace(/\/[^/]*$/, ''), this.core);
  }

  /** The resource that has the name already which a create gives. */
  get namesake(): Resource | undefined {
    const { rn } = this.sent?.attributes ?? {};
    return typeof rn === 'string' ? this.target?.children?.get(rn) : undefined;
  }
}

export type Which = (exchange: Exchange) => boolean;

/** A request to make a resource, of this kind where one is named. */
export const creates =
  (root?: string): Which =>
  ({ method, sent }) =>
    method === 'POST' && (root === undefined || sent?.root === root);

const ofKind =
  (method: string, root: string | undefined): Which =>
  (exchange) =>
    exchange.method === method && (root === undefined || exchange.target?.type.root === root);

const retrieves = (root: string | undefined) => ofKind('GET', root);

/** A retrieve of what exists, where a kind is named; a discovery is none. */
export const reads =
  (root?: string): Which =>
  (exchange) =>
    !exchange.about.discovery && retrieves(root)(exchange);

/** A retrieve of a whole resource of this kind by its own address, without a query. */
export const readsWhole =
  (root: string): Which =>
  (exchange) =>
    exchange.query.size === 0 && !exchange.about.virtual && !exchange.path.includes('%23') && reads(root)(exchange);

export const deletes = (root?: string): Which => ofKind('DELETE', root);

/** Those that each of these is about. */
export const all =
  (...which: readonly Which[]): Which =>
  (exchange) =>
    which.every((one) => one(exchange));
