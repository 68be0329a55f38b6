/** The entry point `cselab/msw`: a reference CSE behind the application's own `fetch`, in Node and in a browser. It uses nothing that browsers lack. */
import { assembleCse } from './cse/assemble-cse.ts';
import type { CseOptions, ReferenceCse, WiredCse } from './cse/create-cse.ts';
import { OutgoingWires } from './cse/outgoing-wires.ts';
import './deviations/index.ts';
import { type HttpHandler, http } from 'msw';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from './dialects/outgoing-message.ts';
import { InterceptedCse, type InterceptionOptions } from './interception/intercepted-cse.ts';
import { pageUrl } from './interception/parsed-url.ts';

export { createFetch } from './bindings/fetch.ts';
export { type ManualClock, manualClock } from './environment/clock.ts';
export type { NearMiss } from './interception/near-miss.ts';
export { cseWsHandlers } from './msw/ws-handlers.ts';
export type { CseOptions, ReferenceCse, WiredCse };

/**
 * A reference CSE in memory, without the journals and controls of `createCse` of `cselab`. Its own
 * requests (notifications, announcements …) go out by `fetch`, so that handlers of MSW answer them too; in
 * a browser, other origins have to allow it (CORS) unless a handler answers for them. It opens no port and starts no timer.
 */
export function createCse(options: CseOptions = {}): WiredCse {
  const wires = new OutgoingWires(fetchSender());
  const { http, core } = assembleCse(options, { sender: wires, connectionOf: wires.connectionOf });
  return { http, core, wires };
}

// A CSE as a request handler of Mock Service Worker.

export type CseHandlersOptions = InterceptionOptions;

/**
 * Handlers for `setupServer` (Node) and `setupWorker` (a browser's page) of MSW 2: the whole CSE behind the application's
 * own `fetch`, without a port. Every request below `baseUrl`, such as `http://gateway.example:8080`, is answered as a
 * server of this CSE answers it, 404 included; everything else goes on to other handlers, or to the network.
 * Where `baseUrl` is the origin of the page itself, paths that no address of the CSE begins with go on too.
 * Throws a TypeError for a `baseUrl` that is none.
 */
export function cseHandlers(cse: ReferenceCse, baseUrl: string, options: CseHandlersOptions = {}): HttpHandler[] {
  const intercepted = new InterceptedCse(cse, baseUrl, options);
  const sharesOrigin = pageUrl()?.origin === intercepted.location.url.origin;

  async function resolve(request: Request): Promise<Response> {
    try {
      return await intercepted.answer(request);
    } catch (error) {
      // The sender aborted the request, and sees no answer.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  }

  // A predicate leaves the request unhandled for MSW, unlike a handler of everything that returns no answer.
  return [
    http.all(
      ({ request }) => intercepted.concerns(request, sharesOrigin),
      ({ request }) => resolve(request),
    ),
  ];
}

// Sends the requests of a CSE by the platform's own `fetch`, as it is at the time of sending.

/** Milliseconds for one request with its answer. */
const timeout = 5_000;

/** Without the page's cookies, and without following redirects. */
function fetchSender(): Sender {
  return {
    async send(baseUrl, request, signal) {
      const limit = AbortSignal.timeout(timeout);
      try {
        const answer = await fetch(`${new URL(baseUrl).origin}${request.target}`, {
          method: request.method,
          headers: request.headers,
          body: bodyOf(request),
          credentials: 'omit',
          redirect: 'error',
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        });
        return await read(answer);
      } catch (error) {
        const reason = limit.aborted ? `no complete answer within ${timeout / 1000} s` : reasonOf(error);
        throw new UnreachableError(`${baseUrl}: ${reason}`, { cause: error });
      }
    },
  };
}

/** A copy of the bytes: `fetch` takes none from shared memory. */
function bodyOf({ body }: OutgoingRequest): string | Uint8Array<ArrayBuffer> | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : Uint8Array.from(body);
}

async function read(answer: Response): Promise<OutgoingAnswer> {
  const { status } = answer;
  const headers = Object.fromEntries(answer.headers);
  const isText = !headers['content-type']?.includes('cbor');
  return { status, headers, body: isText ? await answer.text() : new Uint8Array(await answer.arrayBuffer()) };
}

/** Node has the reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}
