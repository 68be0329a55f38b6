/** A CSE as a request handler of Mock Service Worker. */
import { type HttpHandler, http } from 'msw';
import { createFetch, type FetchOptions } from '../bindings/fetch.ts';
import type { CseIdentity } from '../core/address.ts';
import type { Cse } from '../core/cse.ts';
import type { ReferenceCse } from '../create-cse.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { missedHeaders } from './missed-headers.ts';
import { missedOrigin } from './missed-origin.ts';
import { missedPath } from './missed-path.ts';
import { type Finding, type NearMiss, warnOnce } from './near-miss.ts';
import { isBelow, type Place, pageUrl, placeOf } from './place.ts';

export interface CseHandlersOptions extends FetchOptions {
  /** Hears of each request that was most likely meant otherwise. Unless given, each mistake is a warning on the console, once. */
  readonly onNearMiss?: (miss: NearMiss) => void;
}

/** Where handlers of this process have their CSEs: what goes from one to another is no mistake. */
const places = new Map<string, Place>();

/**
 * Handlers for `setupServer` (Node) and `setupWorker` (a browser's page) of MSW 2: the whole CSE behind the application's
 * own `fetch`, without a port. Every request below `baseUrl`, such as `http://gateway.example:8080`, is answered as a
 * server of this CSE answers it, 404 included; everything else goes on to other handlers, or to the network.
 * Where `baseUrl` is the origin of the page itself, paths that no address of the CSE begins with go on too.
 * Throws a TypeError for a `baseUrl` that is none.
 */
export function cseHandlers(cse: ReferenceCse, baseUrl: string, options: CseHandlersOptions = {}): HttpHandler[] {
  const { configuration } = cse.core;
  const place = placeOf(baseUrl, configuration.base);
  const sharesOrigin = pageUrl()?.origin === place.url.origin;
  const answer = createFetch(withoutPrefix(cse.http, place.prefix), options);
  const tell = options.onNearMiss ?? warnOnce();
  const report = (request: Request, finding: Finding | undefined): void => {
    if (finding !== undefined) tell({ method: request.method, url: request.url, ...finding });
  };
  places.set(place.href, place);

  function concerns(request: Request): boolean {
    const url = new URL(request.url);
    if (isBelow(place, url)) {
      if (!sharesOrigin || mayAddress(pathBelow(place, url), cse.core)) return true;
      // The page's own files are no mistake; what is much like an address is one.
      const finding = pathFinding(url, place, configuration);
      if (finding?.meant !== undefined) report(request, finding);
      return false;
    }
    const isElsewhere = [...places.values()].some((other) => isBelow(other, url));
    if (!isElsewhere) report(request, missedOrigin(url, place, configuration));
    return false;
  }

  async function resolve(request: Request): Promise<Response> {
    try {
      const response = await answer(request);
      for (const finding of findings(request, response, place, cse.core)) report(request, finding);
      return response;
    } catch (error) {
      // Whoever aborted the request knows already, and sees no answer.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  }

  // A function that says no leaves the request unhandled for MSW, as a handler for everything that gives no answer would not.
  return [
    http.all(
      ({ request }) => concerns(request),
      ({ request }) => resolve(request),
    ),
  ];
}

/** What a request should have said otherwise, by how it was answered. */
function findings(request: Request, { status }: Response, place: Place, { configuration }: Cse): Finding[] {
  const path = status === 404 ? pathFinding(new URL(request.url), place, configuration) : undefined;
  const headers = missedHeaders(request.headers, configuration.dialect.name, status === 400);
  return [path, headers].filter((finding) => finding !== undefined);
}

function pathFinding(url: URL, place: Place, identity: CseIdentity): Finding | undefined {
  const finding = missedPath(pathBelow(place, url), identity);
  if (finding?.meant === undefined) return finding;
  return { ...finding, meant: `${place.href}${finding.meant}${url.search}` };
}

/** Whether the first segment names the CSE or something in it: its base, `-`, `~`, `_` or an identifier. */
function mayAddress(path: string, { tree }: Cse): boolean {
  const [, first = ''] = path.split('/');
  const isName = [tree.base.name, '-', '~', '_'].includes(first);
  return isName || tree.byId(first) !== undefined || tree.byAlias(first) !== undefined;
}

function pathBelow({ prefix }: Place, { pathname }: URL): string {
  return pathname.slice(prefix.length);
}

/** The service as it sees requests that a proxy hands on to it. */
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
