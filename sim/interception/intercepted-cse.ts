/** A CSE that answers requests intercepted by MSW or Playwright. */
import { closest, distance } from 'fastest-levenshtein';
import { createFetch, type FetchOptions } from '../bindings/fetch.ts';
import type { CseIdentity } from '../core/address.ts';
import type { Cse } from '../core/operations/cse.ts';
import type { DialectName } from '../core/resource-type.ts';
import type { ReferenceCse } from '../cse/create-cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { type MissReason, missedPath, type NearMiss, warnOnce } from './near-miss.ts';
import { isBelow, locationOf, type ParsedUrl } from './parsed-url.ts';

export interface InterceptionOptions extends FetchOptions {
  /** Called with each request that most likely has a mistake. Unless given, each mistake is a warning on the console, once. */
  readonly onNearMiss?: (miss: NearMiss) => void;
}

/** What is known of a request before it is answered. */
type RequestHead = Pick<Request, 'method' | 'url'>;

/** URLs of the intercepted CSEs of this process: requests from one to another are no mistakes. */
const locations = new Map<string, ParsedUrl>();

export class InterceptedCse {
  readonly location: ParsedUrl;
  readonly #cse: ReferenceCse;
  readonly #answer: (request: Request) => Promise<Response>;
  readonly #onMiss: (miss: NearMiss) => void;

  /** Throws a TypeError for an invalid `baseUrl`. */
  constructor(cse: ReferenceCse, baseUrl: string, options: InterceptionOptions = {}) {
    this.#cse = cse;
    this.location = locationOf(baseUrl, cse.core.configuration.base);
    this.#answer = createFetch(withoutPrefix(cse.http, this.location.prefix), options);
    this.#onMiss = options.onNearMiss ?? warnOnce();
    locations.set(this.location.href, this.location);
  }

  /**
   * Whether the CSE answers this request. From a page of its own origin it answers only paths with which an address of the CSE
   * can begin: everything else may be a file of the page. Reports requests that were most likely meant for the CSE.
   */
  concerns(request: RequestHead, sharesOrigin: boolean): boolean {
    const url = new URL(request.url);
    if (isBelow(this.location, url)) {
      if (!sharesOrigin || mayAddress(this.#pathBelow(url), this.#cse.core)) return true;
      // The page's own files are no mistakes; near misses of an address are.
      const finding = this.#pathFinding(url);
      if (finding?.meant !== undefined) this.#report(request, finding);
      return false;
    }
    this.#report(request, this.#originFinding(url));
    return false;
  }

  /** Whether to call `concerns`: the CSE may answer the request, or it looks as if it were meant for it. */
  mayConcern(url: URL): boolean {
    return isBelow(this.location, url) || this.#originFinding(url) !== undefined;
  }

  /** The answer of a server of this CSE; reports mistakes of the request. Rejects when it is aborted. */
  async answer(request: Request): Promise<Response> {
    const response = await this.#answer(request);
    const path = response.status === 404 ? this.#pathFinding(new URL(request.url)) : undefined;
    this.#report(request, path);
    const { dialect } = this.#cse.core.configuration;
    this.#report(request, missedHeaders(request.headers, dialect.name, response.status === 400));
    return response;
  }

  /** Ends the interception. */
  leave(): void {
    if (locations.get(this.location.href) === this.location) locations.delete(this.location.href);
  }

  #report({ method, url }: RequestHead, finding: MissReason | undefined): void {
    if (finding !== undefined) this.#onMiss({ method, url, ...finding });
  }

  #originFinding(url: URL): MissReason | undefined {
    const isElsewhere = [...locations.values()].some((other) => isBelow(other, url));
    return isElsewhere ? undefined : missedOrigin(url, this.location, this.#cse.core.configuration);
  }

  #pathFinding(url: URL): MissReason | undefined {
    const finding = missedPath(this.#pathBelow(url), this.#cse.core.configuration);
    if (finding?.meant === undefined) return finding;
    return { ...finding, meant: `${this.location.href}${finding.meant}${url.search}` };
  }

  #pathBelow({ pathname }: URL): string {
    return pathname.slice(this.location.prefix.length);
  }
}

/** Whether the first segment names the CSE or something in it: its base, `-`, `~`, `_` or an identifier. */
function mayAddress(path: string, { tree }: Cse): boolean {
  const [, first = ''] = path.split('/');
  const isName = [tree.base.name, '-', '~', '_'].includes(first);
  return isName || tree.byId(first) !== undefined || tree.byAlias(first) !== undefined;
}

/** The service without a path prefix, as behind a proxy. */
function withoutPrefix(service: HttpService, prefix: string): HttpService {
  if (prefix === '') return service;
  const targetOf = (target: string): string => {
    const rest = target.slice(prefix.length);
    return rest.startsWith('/') ? rest : `/${rest}`;
  };
  return {
    handle: (request) => service.handle({ ...request, target: targetOf(request.target) }),
    refuse: (error) => service.refuse(error),
  };
}

// Headers of oneM2M that are missing or misspelled.

/** TS-0009, clause 6.4. */
const known = [
  ...['origin', 'ri', 'rvi', 'rtu', 'ot', 'ret', 'rst', 'oet', 'ec', 'rsc', 'gid', 'cts', 'cto', 'rtv', 'ati', 'vsi'],
  ...['aus', 'asi', 'authsig', 'gtm', 'omr', 'prpi', 'msu', 'asri', 'nm'],
].map((name) => `x-m2m-${name}`);
const likeOneM2m = /^x?-?m2m/;

/** Headers that every request needs in the standard's own binding (TS-0009, clause 6.4); an AE may register without the first. */
const needed: Readonly<Record<DialectName, readonly string[]>> = {
  documented: [],
  onem2m: ['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI'],
};

/** Of a request, and whether it was refused as malformed. A misspelled header is reported in any case: nobody else does. */
export function missedHeaders(headers: Headers, dialect: DialectName, refused: boolean): MissReason | undefined {
  const odd = [...headers.keys()].find((name) => likeOneM2m.test(name) && !known.includes(name));
  if (odd !== undefined) {
    return {
      kind: 'headers',
      says: `${odd} is no header that the CSE knows; the nearest is ${closest(odd, known)}.`,
    };
  }
  const missing = needed[dialect].filter((name) => !headers.has(name));
  if (!refused || missing.length === 0) return undefined;
  const what = missing.length === 1 ? 'It has no' : 'It has none of';
  return {
    kind: 'headers',
    says: `${what} ${missing.join(', ')}; requests in the onem2m dialect carry ${needed.onem2m.join(', ')}.`,
  };
}

/** Requests that miss the CSE although their path is one of its addresses. */
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** For a URL outside the CSE's own; undefined for one that has nothing to do with the CSE. */
export function missedOrigin(url: URL, location: ParsedUrl, identity: CseIdentity): MissReason | undefined {
  const address = addressIn(url.pathname, location.prefix, identity);
  const difference = address === undefined ? undefined : differenceOf(url, location);
  if (difference === undefined) return undefined;
  return {
    kind: 'origin',
    says: `The CSE is at ${location.href}, but this goes to ${difference}, past it.`,
    meant: `${location.href}${address}${url.search}`,
  };
}

/** The path from its first segment on, behind the prefix if any, where that names the CSE or its base. */
function addressIn(path: string, prefix: string, { base, cseId }: CseIdentity): string | undefined {
  const address = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  return [`/${base}`, `/~/${cseId}`].some((start) => address === start || address.startsWith(`${start}/`))
    ? address
    : undefined;
}

/** The difference, where it is so small that it may be a mistake. */
function differenceOf(url: URL, { url: own, prefix }: ParsedUrl): string | undefined {
  if (url.origin === own.origin) return `a path outside ${prefix}`;
  const samePort = portOf(url) === portOf(own);
  if (url.hostname === own.hostname) {
    return samePort || url.protocol !== own.protocol ? `${url.protocol}//${url.host}` : `port ${portOf(url)}`;
  }
  const bothHere = loopback.test(url.hostname) && loopback.test(own.hostname);
  return samePort && (bothHere || distance(url.hostname, own.hostname) <= 2) ? `host ${url.hostname}` : undefined;
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
