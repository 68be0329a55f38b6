/** What waits to be sent to one target of one subscription, in order. */
import { microsecondsPerMillisecond } from '../numbers.ts';

/** Several notifications that go as one (`m2m:agn`), or one that is complete. */
export interface Message {
  readonly parts: readonly string[];
  readonly aggregated: boolean;
}

/**
 * A text is the beginning of a notification, which all subscriptions to one event share; the queue knows how it ends. So what waits
 * costs next to nothing.
 */
export type Waiting = string | Message;

/** Hears what becomes of the messages, each with the number of notifications in it. */
export interface Observer {
  sent(notifications: number): void;
  answered(notifications: number): void;
}

export interface QueueSettings {
  /** What every notification ends with. */
  readonly closing: string;
  /** Notifications that may wait; the oldest go when there are more. */
  readonly most: number;
  /** Only the latest is of interest (`ln`). */
  readonly latestOnly: boolean;
  /** Of what could not be sent, only the latest is (`pn` 1). */
  readonly latestPending: boolean;
  /** At most so many in so many milliseconds (`rl`). */
  readonly rate: { readonly number: number; readonly milliseconds: number } | undefined;
  /** `ec` of what is sent. */
  readonly category: number | undefined;
}

/** Event category of a notification that stands for those before it (TS-0004, eventCat). */
export const latestCategory = 4;

const shortestPause = 1000;
const longestPause = 60_000;

export class NotificationQueue {
  readonly target: string;
  readonly observer: Observer;
  settings: QueueSettings;
  /** True while somebody takes care of it: sends, or waits for the time to do so. */
  busy = false;
  /** True while a message is on its way. */
  sending = false;
  /** True when nothing more will come: what cannot be sent for long is then given up. */
  ending = false;
  /** Notifications in all that waits, and in what is collected for a batch. */
  weight = 0;
  #collected: string[] = [];
  readonly #items: Waiting[] = [];
  #pause = shortestPause;
  #unreachable = false;
  /** The time of the rate limit that runs now, or was the last one: when it began, and how many were sent in it. */
  #window = { start: Number.NEGATIVE_INFINITY, sent: 0 };

  constructor(target: string, observer: Observer, settings: QueueSettings) {
    this.target = target;
    this.observer = observer;
    this.settings = settings;
  }

  /** Messages that are ready to be sent. */
  get length(): number {
    return this.#items.length;
  }

  /** Notifications that are collected for a batch. */
  get collected(): number {
    return this.#collected.length;
  }

  /** `ec` of the next one; what stands for others that could not be sent is the latest (TS-0004, clause 7.5.1.2.2, step 4.0). */
  get category(): number | undefined {
    return this.settings.latestPending && this.#unreachable ? latestCategory : this.settings.category;
  }

  collect(notification: string): void {
    this.#collected.push(notification);
    this.weight++;
  }

  /** Makes one message of what was collected. */
  closeBatch(): void {
    const parts = this.settings.latestOnly ? this.#collected.slice(-1) : this.#collected;
    this.weight -= this.#collected.length;
    this.#collected = [];
    this.push({ parts, aggregated: true });
  }

  /** Where only the latest matters, it takes the place of those before it. */
  push(waiting: Waiting): void {
    if (this.settings.latestOnly || (this.settings.latestPending && this.#unreachable)) this.#clear();
    this.#items.push(waiting);
    this.weight += weightOf(waiting);
  }

  take(): Waiting | undefined {
    const waiting = this.#items.shift();
    if (waiting !== undefined) this.weight -= weightOf(waiting);
    return waiting;
  }

  /** Returns how many notifications that were: 0 when but one is left. */
  dropOldest(): number {
    const before = this.weight;
    if (this.length > 1 || (this.length === 1 && this.collected > 0)) this.take();
    else if (this.length === 0 && this.collected > 1) {
      this.#collected.shift();
      this.weight--;
    }
    return before - this.weight;
  }

  /** Forgets all but the first so many messages; what is collected goes before these do. */
  keep(messages: number): void {
    if (this.length >= messages) {
      this.weight -= this.#collected.length;
      this.#collected = [];
    }
    while (this.length > messages) this.weight -= weightOf(this.#items.pop() ?? '');
  }

  /** Puts back what could not be sent, and says how many milliseconds to wait before the next attempt. */
  failed(waiting: Waiting): number {
    const latestCounts = this.settings.latestOnly || this.settings.latestPending;
    if (this.ending && this.#pause > longestPause) this.#clear();
    else if (!latestCounts || this.length === 0) this.#putBack(waiting);
    else while (this.length > 1) this.take();
    this.#unreachable = true;
    const pause = Math.min(this.#pause, longestPause);
    this.#pause *= this.#pause > longestPause ? 1 : 2;
    return pause;
  }

  succeeded(now: number): void {
    this.#unreachable = false;
    this.#pause = shortestPause;
    if (this.settings.rate === undefined) return;
    if (this.#leftOfWindow(now) <= 0) this.#window = { start: now, sent: 0 };
    this.#window.sent++;
  }

  /** Milliseconds until the rate limit lets the next one go: windows follow each other, none rolls (TS-0001, clause 10.2.10.7). */
  waitForRate(now: number): number {
    const { rate } = this.settings;
    if (rate === undefined || this.#window.sent < rate.number) return 0;
    return Math.max(0, this.#leftOfWindow(now));
  }

  #leftOfWindow(now: number): number {
    const passed = (now - this.#window.start) / microsecondsPerMillisecond;
    return (this.settings.rate?.milliseconds ?? 0) - passed;
  }

  #putBack(waiting: Waiting): void {
    this.#items.unshift(waiting);
    this.weight += weightOf(waiting);
  }

  #clear(): void {
    while (this.length > 0) this.take();
  }
}

/** The number of notifications. */
export function weightOf(waiting: Waiting): number {
  return typeof waiting === 'string' ? 1 : waiting.parts.length;
}
