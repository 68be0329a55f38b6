import type { InboxBlock as InboxSettings } from '../grammar/grammar.ts';
import type { NotificationKind } from '../grammar/grammar-step.ts';
import { type NotificationView, viewOfNotification } from '../judging/answer.ts';
import type { ReceivedRequest } from '../results/exchange.ts';
import { Waiters } from './exchanging/deadline.ts';
import type { MaybeReply } from './harness-server.ts';

/** Limits of an inbox: requests, octets of their bodies and headers, and unanswered requests; any more are dropped. */
const most = { requests: 2000, octets: 4 * 1024 * 1024, unanswered: 200 };

export interface Notification {
  readonly request: ReceivedRequest;
  readonly view: NotificationView;
}

interface KeptNotification extends Notification {
  isPicked: boolean;
}

export interface InboxWait {
  readonly of: NotificationKind | 'any';
  /** Milliseconds. */
  readonly within: number;
  readonly signal: AbortSignal;
}

/** A receiver of notifications, in one scenario. */
export class HarnessInbox {
  readonly url: string;
  readonly #answers: NonNullable<InboxSettings['answers']>;
  readonly #kept: KeptNotification[] = [];
  /** Release clients that wait for an answer. */
  readonly #unanswered: Array<(nothing: undefined) => void> = [];
  readonly #waiters = new Waiters();
  /** The polling channel that feeds it, where nobody sends to it. */
  channel: string | undefined;
  #octets = 0;
  #closed = false;

  constructor(url: string, { answers = {} }: InboxSettings) {
    this.url = url;
    this.#answers = answers;
  }

  /** Keeps a request, and returns the answer that the scenario prescribes. `malformed` shows one that is no HTTP, verbatim. */
  receive(request: ReceivedRequest, malformed?: ReceivedRequest): MaybeReply {
    this.#keep(request, malformed);
    this.#waiters.wake();
    if (this.#answers === 'closed' || this.#closed) return undefined;
    if (this.#answers === 'nothing') {
      if (this.#unanswered.length === most.unanswered) this.#unanswered.shift()?.(undefined);
      return new Promise<undefined>((resolve) => this.#unanswered.push(resolve));
    }
    const { status = 200, rsc = 2000 } = this.#answers;
    // A receiver repeats the request identifier (TS-0009 6.4.10).
    const repeated = request.headers.filter(([name]) => /^x-m2m-(ri|rvi)$/i.test(name));
    return { status, headers: { ...Object.fromEntries(repeated), 'X-M2M-RSC': String(rsc) } };
  }

  /** New notifications of this kind. */
  pick(of: InboxWait['of']): Notification[] {
    const found = this.#unpicked(of);
    for (const one of found) one.isPicked = true;
    return found;
  }

  /** Waits for so many new notifications: true as soon as they are there, false after so many milliseconds. */
  async waitFor(count: number, { of, within, signal }: InboxWait): Promise<boolean> {
    const enough = () => this.#unpicked(of).length >= count || undefined;
    return (await this.#waiters.wait(enough, { within, signal })) === true;
  }

  /** Releases all waiters, here and at the other end. */
  close(): void {
    this.#closed = true;
    for (const letGo of this.#unanswered.splice(0)) letGo(undefined);
    this.#waiters.close();
  }

  #keep(request: ReceivedRequest, malformed: ReceivedRequest | undefined): void {
    const headers = request.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    const octets = Buffer.byteLength(request.body ?? '') + headers;
    // A short request still fits where a long one did not.
    if (this.#kept.length >= most.requests || this.#octets + octets > most.octets) return;
    this.#octets += octets;
    const view = viewOfNotification(request, malformed?.body);
    this.#kept.push({ request: malformed ?? request, view, isPicked: false });
  }

  #unpicked(of: InboxWait['of']): KeptNotification[] {
    return this.#kept.filter(({ isPicked, view }) => !isPicked && (of === 'any' || view.kind === of));
  }
}

/** Multiple of the slowest notification. */
const factor = 10;
/** Milliseconds. */
const shortest = 150;

/**
 * How long a target has to be silent until nothing more is expected, learnt from its notifications in this run: a slow
 * target is given time, a quick one is not waited for.
 */
export class Silence {
  #slowest: number | undefined;

  /** An expected notification came after so many milliseconds. */
  noteArrival(after: number): void {
    this.#slowest = Math.max(this.#slowest ?? 0, after);
  }

  /** Milliseconds: never more than `within`, and all of it until an expected notification has come. */
  limit(within: number): number {
    if (this.#slowest === undefined) return within;
    return Math.min(within, Math.max(shortest, factor * this.#slowest));
  }
}
