/** A CSE in this process that answers the requests of a page: no port is opened. */

import type { BrowserContext, Page, Request as PageRequest, Route, TestInfo } from '@playwright/test';
import { isPreflight } from '../bindings/page-guard.ts';
import { attempt } from '../core/status.ts';
import type { ReferenceCse } from '../cse/create-cse.ts';
import { millisecondsOf } from '../environment/clock.ts';
import { requirePackage } from '../environment/missing-package.ts';
import { InterceptedCse, type InterceptionOptions } from '../interception/intercepted-cse.ts';
import { type NearMiss, nearMissText, warnOnce } from '../interception/near-miss.ts';

const { test } = requirePackage<typeof import('@playwright/test')>('cselab/playwright', '@playwright/test');

export interface RouteCseOptions extends InterceptionOptions {
  /**
   * Called with each request that most likely has a mistake. Unless given, each mistake is a warning on the console, once,
   * and an annotation of the running test.
   */
  readonly onNearMiss?: (miss: NearMiss) => void;
}

/** The route between a page and its CSE. */
export interface RoutedCse extends AsyncDisposable {
  /** URL of the CSE for the page; no slash at the end. */
  readonly url: string;
  /** Requests that most likely have a mistake, the oldest first. */
  readonly nearMisses: readonly NearMiss[];
  /**
   * Delays answers from now on, by the clock of the CSE: milliseconds, or `500ms`, `2s`; 0: no delay. With a manual clock they come when
   * it is advanced. Throws a RangeError for an invalid duration.
   */
  delay(by: number | string): void;
  /** Nobody answers there from now on: requests of the page fail as if their connections were refused. */
  disconnect(): void;
  /** The CSE answers again. */
  reconnect(): void;
  /** Requests go to the network from now on. Also at the end of `await using`. */
  unroute(): Promise<void>;
}

/**
 * All requests of a page (or of each page of a context) below `baseUrl`, such as `http://gateway.example:8080`, are answered by the CSE as
 * by a server of it, 404 included. Pages of every origin may use it: preflights are permitted, and answers can be read with all their
 * headers, whether the real gateway permits that or not. Where `baseUrl` is the origin of the page itself, paths with which no address of
 * the CSE begins go on to the network.
 *
 * Requests of a service worker are not seen: `test.use({ serviceWorkers: 'block' })`. A page cannot be notified: requests of the CSE
 * go to inboxes (`cse.openInbox()`) or, from this process, over HTTP.
 *
 * Rejects with a TypeError for a `baseUrl` that is none.
 */
export async function routeCse(
  target: Page | BrowserContext,
  cse: ReferenceCse,
  baseUrl: string,
  options: RouteCseOptions = {},
): Promise<RoutedCse> {
  const nearMisses: NearMiss[] = [];
  const report = options.onNearMiss ?? noteNearMiss();
  const onNearMiss = (miss: NearMiss): void => {
    nearMisses.push(miss);
    report(miss);
  };
  const intercepted = new InterceptedCse(cse, baseUrl, { ...options, onNearMiss });
  const state: RouteState = { cse, intercepted, delay: 0, isCut: false };
  const concerned = (url: URL) => intercepted.mayConcern(url);
  const handle = (route: Route) => handleRoute(route, state);
  await target.route(concerned, handle);
  const unroute = async (): Promise<void> => {
    intercepted.leave();
    await target.unroute(concerned, handle);
  };
  return {
    ...{ url: intercepted.location.href, nearMisses, unroute },
    delay: (by) => {
      state.delay = millisecondsOf(by);
    },
    disconnect: () => {
      state.isCut = true;
    },
    reconnect: () => {
      state.isCut = false;
    },
    [Symbol.asyncDispose]: unroute,
  };
}

/** From the page to the CSE and back. */
interface RouteState {
  readonly cse: ReferenceCse;
  readonly intercepted: InterceptedCse;
  /** Milliseconds. */
  delay: number;
  isCut: boolean;
}

async function handleRoute(route: Route, state: RouteState): Promise<void> {
  const { intercepted } = state;
  const request = route.request();
  const head = { method: request.method(), url: request.url() };
  const origin = originOf(request);
  const sharesOrigin = origin === undefined || origin === intercepted.location.url.origin;
  if (!intercepted.concerns(head, sharesOrigin)) return route.fallback();
  if (state.isCut) return ignoreClosed(route.abort('connectionrefused'));
  const headers = request.headers();
  if (isPreflight({ method: head.method, headers })) {
    return ignoreClosed(route.fulfill({ status: 204, headers: preflightAnswer(headers) }));
  }
  // Counted from the arrival of the request.
  const pause = waitFor(state);
  const answer = await intercepted.answer(requestFrom(request));
  const body = Buffer.from(await answer.arrayBuffer());
  await pause;
  const answerHeaders = sharesOrigin ? Object.fromEntries(answer.headers) : readableBy(origin, answer.headers);
  await ignoreClosed(route.fulfill({ status: answer.status, headers: answerHeaders, body }));
}

async function waitFor({ delay, cse }: RouteState): Promise<void> {
  if (delay > 0) await new Promise<void>((resolve) => void cse.core.services.ports.clock.schedule(delay, resolve));
}

/** The origin of the page that sends it; undefined while the page itself is being opened. */
function originOf(request: PageRequest): string | undefined {
  if (request.isNavigationRequest()) return undefined;
  const { origin = new URL(request.frame().url()).origin } = request.headers();
  return origin;
}

function requestFrom(request: PageRequest): Request {
  const body = request.postDataBuffer();
  return new Request(request.url(), {
    method: request.method(),
    headers: request.headers(),
    ...(body !== null && { body: Uint8Array.from(body) }),
  });
}

/** A page that has navigated or was closed takes no answer any more. */
async function ignoreClosed(answered: Promise<void>): Promise<void> {
  await answered.catch(() => {});
}

/** Permits everything that a preflight requests (Fetch standard, CORS protocol). Names of the headers in lower case. */
function preflightAnswer(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { origin = '*', 'access-control-request-method': method = '' } = headers;
  const requested = headers['access-control-request-headers'];
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': method,
    ...(requested !== undefined && { 'access-control-allow-headers': requested }),
    vary: 'Origin',
  };
}

/** The headers of an answer, with permission for a page of that origin to read all of them. */
function readableBy(origin: string, headers: Headers): Record<string, string> {
  return {
    ...Object.fromEntries(headers),
    'access-control-allow-origin': origin,
    'access-control-expose-headers': [...headers.keys()].join(', '),
    vary: 'Origin',
  };
}

/** Warns on the console, once for each mistake, and annotates the running test, if any. */
function noteNearMiss(): (miss: NearMiss) => void {
  const warn = warnOnce();
  const said = new Set<string>();
  return (miss) => {
    warn(miss);
    if (said.has(miss.says)) return;
    said.add(miss.says);
    runningTest()?.annotations.push({ type: 'near miss', description: nearMissText(miss) });
  };
}

const runningTest = (): TestInfo | undefined => attempt(() => test.info());
