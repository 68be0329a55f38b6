/** The service as one function from Request to Response, without a socket. */
import { CseError, ifRefused } from '../core/status.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { badTarget, bodyTooLarge, checkService, originForm, refusalOfSizes, serviceFailed } from './admission.ts';
import { type HttpLimits, limitsFrom } from './limits.ts';

export interface FetchOptions {
  readonly limits?: Partial<Pick<HttpLimits, 'bodyBytes' | 'targetBytes' | 'headerCount' | 'headerBytes'>>;
  /** Called with every failure of the service; the caller gets no more than a 500. Writes to the error console unless given. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A `fetch` that answers as the HTTP binding does, but for the headers of the connection: Date, Connection and Keep-Alive.
 * Rejects only when there is no such request, its body cannot be read or its signal is aborted.
 */
export function createFetch(
  service: HttpService,
  options: FetchOptions = {},
): (input: Request | URL | string, init?: RequestInit) => Promise<Response> {
  checkService(service);
  const limits = limitsFrom(options.limits);
  const onError = options.onError ?? console.error;
  return async (input, init) => {
    // A request of another realm stays as it is.
    const isRequest = typeof input === 'object' && 'signal' in input && init === undefined;
    const request = isRequest ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const read = await requestFrom(request, limits).catch(ifRefused((refusal) => refusal));
    if (read instanceof CseError) return responseFrom(service.refuse(read), request.method);
    try {
      return responseFrom(await service.handle(read), request.method);
    } catch (error) {
      // The service failed, or gave an answer that no Response can hold.
      onError(error);
      return responseFrom(service.refuse(serviceFailed()), request.method);
    }
  };
}

/** Rejects with a CseError for a request that is refused. */
async function requestFrom(request: Request, limits: HttpLimits): Promise<HttpRequest> {
  const { method } = request;
  const target = originForm(method, request.url.replace(/#.*$/s, ''));
  if (target === undefined) throw badTarget();
  const lines = [...request.headers];
  const refusal = refusalOfSizes(target, lines.flat(), limits);
  if (refusal !== undefined) throw refusal;
  const body = await bodyOf(request, limits.bodyBytes);
  if (body === undefined) throw bodyTooLarge(limits);
  const headers = { host: new URL(request.url).host, ...Object.fromEntries(lines) };
  return { method, target, headers, body };
}

/** Undefined when it is over the limit; the rest is not read then. */
async function bodyOf(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // Some browsers have no stream of a request's body.
  if (request.body === undefined) {
    const whole = new Uint8Array(await request.arrayBuffer());
    return whole.length > limit ? undefined : whole;
  }
  const reader = request.body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    length += read.value.length;
    if (length > limit) {
      await reader?.cancel();
      return undefined;
    }
    pieces.push(read.value);
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : new Uint8Array(await new Blob(pieces).arrayBuffer());
}

const encoder = new TextEncoder();

/** The body goes in as bytes: with a string, Response would add a Content-Type of its own. */
function responseFrom(answer: HttpResponse, method: string): Response {
  const { body } = answer;
  const bytes = typeof body === 'string' ? encoder.encode(body) : Uint8Array.from(body);
  const headers = new Headers(answer.headers);
  if (answer.status === 204) return new Response(null, { status: 204, headers });
  headers.set('Content-Length', String(bytes.length));
  return new Response(method === 'HEAD' ? null : bytes, { status: answer.status, headers });
}
