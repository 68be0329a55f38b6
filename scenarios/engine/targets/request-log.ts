import type { ReceivedRequest } from '../messages/exchange.ts';
import { Waiters } from './deadline.ts';

interface Found {
  readonly request: ReceivedRequest;
  /** Its position among all that came, from 0. */
  readonly index: number;
}

/** So many requests are kept; a target that sends more is not judged by them. */
const most = 10_000;

/** The requests that came, in order, and who waits for one. */
export class RequestLog {
  readonly #requests: ReceivedRequest[] = [];
  readonly #waiters = new Waiters();

  /** Whether any request came. */
  get used(): boolean {
    return this.#requests.length > 0;
  }

  add(request: ReceivedRequest): void {
    if (this.#requests.length >= most) return;
    this.#requests.push(request);
    this.#waiters.wake();
  }

  /**
   * The first request from position `from` on that fits, as soon as it is there. Undefined after so many milliseconds, when
   * the signal aborts, and when the log is closed.
   */
  next(
    fits: (request: ReceivedRequest) => boolean,
    { from, within, signal }: { readonly from: number; readonly within: number; readonly signal: AbortSignal },
  ): Promise<Found | undefined> {
    let position = from;
    const look = (): Found | undefined => {
      for (; position < this.#requests.length; position += 1) {
        const request = this.#requests[position];
        if (request !== undefined && fits(request)) return { request, index: position };
      }
      return undefined;
    };
    return this.#waiters.wait(look, { within, signal });
  }

  /** Nothing comes any more. */
  close(): void {
    this.#waiters.close();
  }
}
