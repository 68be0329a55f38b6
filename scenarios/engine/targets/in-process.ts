import { curlLine, rawLine } from '../messages/curl.ts';
import { type AnyRequest, isExactBytes, type RequestMessage, socketless, type Target } from '../messages/target.ts';
import { escapedPath, withBaseUrl } from '../messages/wire.ts';
import type { Exchange } from '../results/exchange.ts';
import { largestAnswer, mostHeaders, tooLong, tooManyHeaders } from './exchanging/answer-reader.ts';
import { BodyBytes } from './exchanging/body-bytes.ts';
import { inTime } from './exchanging/deadline.ts';
import { failureOf, timeoutFailure } from './exchanging/failure.ts';
import { recordedMessage, timedExchange } from './exchanging/record.ts';
import type { UrlTargetOptions } from './exchanging/url.ts';

export type Fetch = (request: Request) => Promise<Response>;

interface InProcessOptions extends Pick<UrlTargetOptions, 'timeout' | 'startedAt' | 'description' | 'headers'> {
  readonly fetch: Fetch;
  /** Whether the function is foreign, so that its errors are those of the target. */
  readonly foreign?: boolean;
}

/** A CSE behind a function, such as one in this process, without a socket. */
export function inProcessTarget(options: InProcessOptions): Target {
  const { description } = options;
  const url = new URL(description.url);
  const { origin } = url;
  const target: Pick<Target, 'description' | 'objection'> = {
    description,
    objection: (request, way = {}) => (way.over || way.alone ? reason : objection(request, description.url)),
  };
  return socketless(target, (request) => {
    const { startedAt } = options;
    const isRaw = 'version' in request;
    const message = withBaseUrl(isRaw ? request : { ...request, path: escapedPath(request.path) }, url, options);
    const line = () => ('version' in message ? rawLine(origin, message) : curlLine(origin, message));
    return timedExchange(startedAt, recordedMessage(message), () => answerInTime(message, options), line);
  });
}

/** A Request cannot express everything: no versions, no free Host and Content-Length, no body in a GET, only normal paths. */
function objection(request: AnyRequest, url: string): string | undefined {
  if (isExactBytes(request)) return 'exact bytes need a socket';
  if (!('version' in request))
    return survives({ ...request, path: escapedPath(request.path) }, url) ? undefined : reason;
  const plain = request.version === '1.1' && request.addHost && request.addContentLength;
  return plain && survives(request, url) ? undefined : reason;
}

const reason = 'this request needs a socket';

function survives(request: RequestMessage, base: string): boolean {
  try {
    const { method, url, headers } = requestOf(request, base);
    const sent = request.headers.every(([name, value]) => headers.get(name) === value);
    return method === request.method && url === new URL(base).origin + request.path && sent;
  } catch {
    return false;
  }
}

function requestOf({ method, path, headers, body }: RequestMessage, base: string, signal?: AbortSignal): Request {
  const init: RequestInit = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: 'manual',
    ...(signal && { signal }),
  };
  const address = new URL(base).origin + path;
  return new Request(address, body === undefined ? init : { ...init, body: Buffer.from(body) });
}

type InProcessResult = Pick<Exchange, 'answer' | 'failure'>;

/** Ends in time, whatever the function does, and cancels the rest. */
async function answerInTime(message: RequestMessage, options: InProcessOptions): Promise<InProcessResult> {
  const over = new AbortController();
  const request = requestOf(message, options.description.url, over.signal);
  const { timeout } = options;
  const answer = await inTime(answerOf(request, over.signal, options), timeout).finally(() => over.abort());
  return answer ?? { failure: timeoutFailure(timeout) };
}

/** Rethrows an error of the function as one of this process, unless the function is foreign. */
async function answerOf(
  request: Request,
  signal: AbortSignal,
  { fetch, foreign }: InProcessOptions,
): Promise<InProcessResult> {
  try {
    const response = await fetch(request);
    const headers = [...response.headers];
    if (response.status === 0) return malformed(`the answer is hidden (it is of the type ${response.type})`);
    if (headers.length > mostHeaders) return malformed(tooManyHeaders);
    const body = await textOf(response, signal);
    return body === undefined ? malformed(tooLong) : { answer: { status: response.status, headers, body } };
  } catch (error) {
    if (foreign !== true) throw error;
    const message = `the request failed: ${error instanceof Error ? error.message : String(error)}`;
    return { failure: failureOf(error) ?? { kind: 'unreachable', message } };
  }
}

function malformed(message: string): InProcessResult {
  return { failure: { kind: 'malformed', message } };
}

/** Undefined when the body exceeds the limit; the rest is then cancelled. Runs in browsers, without streams of node. */
async function textOf({ body, headers }: Response, signal: AbortSignal): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  const bytes = new BodyBytes(largestAnswer);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (bytes.add(part.value)) continue;
    cancel();
    return undefined;
  }
  return bytes.text(headers.get('content-type') ?? undefined);
}
