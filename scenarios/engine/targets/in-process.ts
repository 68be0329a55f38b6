import { curlLine, rawLine } from '../curl.ts';
import { escapedPath } from '../encode.ts';
import type { Exchange } from '../exchange.ts';
import type { TargetDescription } from '../result.ts';
import { type Failure, timeoutFailure } from './failure.ts';
import { recordedMessage } from './record.ts';
import { isExactBytes, now, type RawRequest, type RequestMessage, since, type Target } from './target.ts';

export type Fetch = (request: Request) => Promise<Response>;

export interface InProcessOptions {
  readonly description: TargetDescription;
  readonly fetch: Fetch;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
}

/** A CSE in this process, without a socket. */
export function inProcessTarget(options: InProcessOptions): Target {
  const { description } = options;
  return {
    description,
    supportsExactBytes: false,
    objection: (request, way = {}) => (way.over || way.alone ? reason : objection(request, description.url)),
    send(request) {
      const message = { ...request, path: escapedPath(request.path) };
      return exchange(message, curlLine(description.url, message), options);
    },
    sendRaw(request) {
      if (isExactBytes(request)) throw new TypeError('exact bytes need a socket');
      return exchange(request, rawLine(description.url, request), options);
    },
    close: async () => {},
  };
}

/** A Request knows less than the wire: no versions, no free Host and Content-Length, no body in a GET, tidy paths. */
function objection(request: RequestMessage | RawRequest, url: string): string | undefined {
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

function requestOf({ method, path, headers, body }: RequestMessage, base: string): Request {
  const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
  return new Request(new URL(base).origin + path, body === undefined ? init : { ...init, body: Buffer.from(body) });
}

async function exchange(message: RequestMessage, curl: string, options: InProcessOptions): Promise<Exchange> {
  const started = now();
  const result = await answered(requestOf(message, options.description.url), options);
  const times = { at: since(options.startedAt, started), took: since(started) };
  return { request: recordedMessage(message), ...result, ...times, curl };
}

async function answered(request: Request, options: InProcessOptions): Promise<Pick<Exchange, 'answer' | 'failure'>> {
  const expired = timer(options.timeout);
  try {
    return await Promise.race([answerOf(options.fetch(request)), expired.failure]);
  } finally {
    expired.stop();
  }
}

/** An error of the fetch function is a mistake in this process; it is thrown on. */
async function answerOf(answering: Promise<Response>): Promise<Pick<Exchange, 'answer'>> {
  const response = await answering;
  return { answer: { status: response.status, headers: [...response.headers], body: await response.text() } };
}

function timer(timeout: number): { failure: Promise<{ failure: Failure }>; stop: () => void } {
  let running: NodeJS.Timeout | undefined;
  const failure = new Promise<{ failure: Failure }>((resolve) => {
    running = setTimeout(() => resolve({ failure: timeoutFailure(timeout) }), timeout);
  });
  return { failure, stop: () => clearTimeout(running) };
}
