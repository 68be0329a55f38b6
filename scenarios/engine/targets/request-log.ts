import type { IncomingMessage } from 'node:http';
import type { ReceivedRequest } from '../messages/exchange.ts';
import { shownHeaders } from '../messages/secrets.ts';
import { BodyBytes } from './body-bytes.ts';
import { deadline } from './deadline.ts';
import { now, since } from './target.ts';

export interface Found {
  readonly request: ReceivedRequest;
  /** Its position among all that came, from 0. */
  readonly index: number;
}

interface Waiting {
  readonly look: () => boolean;
  readonly giveUp: () => void;
}

/** So many requests are kept; a target that sends more is not judged by them. */
const most = 10_000;

/** The requests that came, in order, and who waits for one. */
export class RequestLog {
  readonly #requests: ReceivedRequest[] = [];
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  /** Whether any request came. */
  get used(): boolean {
    return this.#requests.length > 0;
  }

  add(request: ReceivedRequest): void {
    if (this.#requests.length >= most) return;
    this.#requests.push(request);
    for (const waiting of this.#waiting) if (waiting.look()) this.#waiting.delete(waiting);
  }

  /**
   * The first request from position `from` on that fits, as soon as it is there. Undefined after so many milliseconds, when
   * the signal aborts, and when the log is closed.
   */
  next(
    fits: (request: ReceivedRequest) => boolean,
    { from, within, signal }: { readonly from: number; readonly within: number; readonly signal: AbortSignal },
  ): Promise<Found | undefined> {
    return new Promise((resolve) => {
      let position = from;
      const end = (found: Found | undefined): void => {
        stop();
        signal.removeEventListener('abort', giveUp);
        this.#waiting.delete(waiting);
        resolve(found);
      };
      const giveUp = () => end(undefined);
      const look = (): boolean => {
        for (; position < this.#requests.length; position += 1) {
          const request = this.#requests[position];
          if (request === undefined || !fits(request)) continue;
          end({ request, index: position });
          return true;
        }
        return false;
      };
      const waiting = { look, giveUp };
      const stop = deadline(within, giveUp);
      if (look()) return;
      if (this.#closed || signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiting);
    });
  }

  /** Nothing comes any more. */
  close(): void {
    this.#closed = true;
    for (const { giveUp } of [...this.#waiting]) giveUp();
  }
}

// What a listener of the harness makes of a request.

/** Octets of a request that are read. */
const largestBody = 1024 * 1024;

/** As text. Rejects with a RangeError when it is longer than the harness reads; no more of it is then taken. */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw new RangeError('the request is too long');
  const bytes = new BodyBytes(largestBody);
  for await (const part of request as AsyncIterable<Buffer>) {
    if (!bytes.add(part)) throw new RangeError('the request is too long');
  }
  return bytes.text();
}

/** `startedAt` is `now()` at the start of the run. */
export function receivedRequest(request: IncomingMessage, body: string, startedAt: number): ReceivedRequest {
  const { method = '', url = '', rawHeaders } = request;
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const);
  return {
    method,
    path: url,
    headers: shownHeaders(headers),
    ...(body !== '' && { body }),
    at: since(startedAt, now()),
  };
}
