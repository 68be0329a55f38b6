/** A CSE as a request handler of Mock Service Worker. */
import { type HttpHandler, http } from 'msw';
import type { ReferenceCse } from '../create-cse.ts';
import { InterceptedCse, type InterceptionOptions } from '../interception/intercepted-cse.ts';
import { pageUrl } from '../interception/place.ts';

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
  const sharesOrigin = pageUrl()?.origin === intercepted.place.url.origin;

  async function resolve(request: Request): Promise<Response> {
    try {
      return await intercepted.answer(request);
    } catch (error) {
      // Whoever aborted the request knows already, and sees no answer.
      if (request.signal.aborted) return Response.error();
      throw error;
    }
  }

  // A function that says no leaves the request unhandled for MSW, as a handler for everything that gives no answer would not.
  return [
    http.all(
      ({ request }) => intercepted.concerns(request, sharesOrigin),
      ({ request }) => resolve(request),
    ),
  ];
}
