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
