/** Notifications to one target of one subscription, sent in order, and never in the turn of the request that caused them. */
import { microsecondsPerMillisecond, millisecondsOf } from '../numbers.ts';
import type { Resource } from '../resource.ts';
import { CseError } from '../status.ts';
import type { Trace } from '../trace-context.ts';
import type { SingleNotification } from './notification-content.ts';
import type { NotificationDelivery } from './notification-delivery.ts';

/** Informed of each message, with the number of notifications in it. */
export interface Observer {
  sent(queue: NotificationQueue, notifications: number): void;
  answered(queue: NotificationQueue, notifications: number): void;
}

/** The content of a request, and the number of notifications in it. */
interface QueuedMessage {
  readonly content: object;
  readonly weight: number;
  /** Request identifier, once sent: a retry is the same request (TS-0001, clause 7.1.7). */
  identifier?: string;
  readonly cause: Trace | undefined;
}

/** Event category of a notification that replaces earlier ones (TS-0004, eventCat). */
const latestCategory = 4;

const [minPause, maxPause] = [1000, 60_000];

export class NotificationQueue {
  readonly target: string;
  /** True when nothing more will come: a target that stays unreachable is then given up. */
  ending = false;
  readonly #subscription: Resource;
  readonly #delivery: NotificationDelivery;
  readonly #observer: Observer;
  /** True while it sends or waits to do so. */
  #busy = false;
  /** True while a message is on its way. */
  #sending = false;
  /** Notifications that wait or are collected for a batch. */
  #weight = 0;
  #collected: SingleNotification[] = [];
  #causeOfBatch: Trace | undefined;
  /** Cancels the timer of the current batch. */
  #cancelBatch: (() => void) | undefined;
  readonly #items: QueuedMessage[] = [];
  #pause = minPause;
  #unreachable = false;
  /** The latest window of the rate limit: when it began, and how many were sent in it. */
  #window = { start: Number.NEGATIVE_INFINITY, sent: 0 };

  constructor(target: string, subscription: Resource, delivery: NotificationDelivery, observer: Observer) {
    this.target = target;
    this.#subscription = subscription;
    this.#delivery = delivery;
    this.#observer = observer;
  }

  /** Takes the notification of an event. */
  add(notification: SingleNotification): void {
    const { bn } = this.#subscription.values;
    if (bn === undefined) {
      void this.push(notification);
      return;
    }
    const { num, dur } = bn as { num?: number; dur?: string };
    this.#collected.push(notification);
    this.#causeOfBatch = this.#delivery.services.outgoing.cause;
    this.#addWeight(1);
    this.#dropOldest();
    if (num !== undefined && num > 0 && this.#collected.length >= num) void this.sendBatch();
    else if (dur !== undefined) {
      const { clock } = this.#delivery.services.ports;
      this.#cancelBatch ??= clock.schedule(millisecondsOf(dur) ?? 0, () => this.sendBatch());
    }
  }

  /** Queues one outside of batches. Resolves when all that waits was tried once, or at once while busy. */
  push(notification: SingleNotification): Promise<void> {
    return this.#enqueue({ 'm2m:sgn': notification }, this.#delivery.services.outgoing.cause);
  }

  /** Sends the collected ones as one message. Resolves as `push` does. */
  async sendBatch(): Promise<void> {
    this.#cancelBatch?.();
    this.#cancelBatch = undefined;
    if (this.#collected.length === 0) return;
    const { ln } = this.#subscription.values;
    const parts = ln === true ? this.#collected.slice(-1) : this.#collected;
    this.#forgetCollected();
    await this.#enqueue({ 'm2m:agn': { 'm2m:sgn': parts } }, this.#causeOfBatch, parts.length);
  }

  /** Drops what waits behind so many messages, counting the one on its way; collected ones are dropped first. */
  keepOnly(messages: number): void {
    const kept = Math.max(0, messages - (this.#sending ? 1 : 0));
    if (this.#items.length >= kept) this.#forgetCollected();
    for (const { weight } of this.#items.splice(kept)) this.#addWeight(-weight);
  }

  #enqueue(content: object, cause: Trace | undefined, weight = 1): Promise<void> {
    if (this.#isLatest) this.#clear();
    this.#items.push({ content, weight, cause });
    this.#addWeight(weight);
    this.#dropOldest();
    return this.#busy ? Promise.resolve() : this.#drain();
  }

  #drain(): Promise<void> {
    const { ports, outgoing } = this.#delivery.services;
    this.#busy = true;
    const drained = this.#delivery.track(async () => {
      const pause = await this.#work().catch((error: unknown) => {
        ports.onError(error);
        return 0;
      });
      this.#busy = pause > 0;
      if (pause > 0) ports.clock.schedule(pause, () => this.#drain());
    });
    // A request in a polling channel waits for the clock, which must not in turn wait for its delivery.
    return outgoing.isPolled(this.target) ? ports.nextTurn() : drained;
  }

  /** Sends until nothing is left; returns the milliseconds to wait, 0 when done. */
  async #work(): Promise<number> {
    const { ports } = this.#delivery.services;
    for (;;) {
      const wait = this.#waitForRate(ports.clock.now());
      if (wait > 0 && this.#items.length > 0) return wait;
      if (this.#items.length > 0) await this.#delivery.waitTurn();
      const message = this.#shift();
      if (message === undefined) return 0;
      const pause = await this.#attempt(message);
      if (pause > 0) return pause;
    }
  }

  /** Milliseconds to wait when the target cannot be reached, else 0. */
  async #attempt(message: QueuedMessage): Promise<number> {
    message.identifier ??= this.#delivery.services.ports.randomText(16);
    const { content, weight, cause, identifier } = message;
    this.#delivery.waiting += weight;
    this.#sending = true;
    try {
      this.#observer.sent(this, weight);
      await this.#delivery.send(this.target, content, { eventCategory: this.#category, identifier, cause });
    } catch (error) {
      if (!(error instanceof CseError)) throw error;
      return this.#failed(message);
    } finally {
      this.#sending = false;
      this.#delivery.waiting -= weight;
    }
    this.#observer.answered(this, weight);
    this.#succeeded(this.#delivery.services.ports.clock.now());
    return 0;
  }

  /** Puts the message back; returns the milliseconds to wait before the next attempt. */
  #failed(message: QueuedMessage): number {
    const { ln, pn } = this.#subscription.values;
    const latestCounts = ln === true || pn === 1;
    if (this.ending && this.#pause > maxPause) this.#clear();
    else if (latestCounts && this.#items.length > 0) while (this.#items.length > 1) this.#shift();
    else {
      this.#items.unshift(message);
      this.#addWeight(message.weight);
    }
    this.#unreachable = true;
    const pause = Math.min(this.#pause, maxPause);
    this.#pause *= this.#pause > maxPause ? 1 : 2;
    return pause;
  }

  #succeeded(now: number): void {
    this.#unreachable = false;
    this.#pause = minPause;
    const rate = this.#rate;
    if (rate === undefined) return;
    if (this.#leftOfWindow(now, rate.milliseconds) <= 0) this.#window = { start: now, sent: 0 };
    this.#window.sent++;
  }

  /** Milliseconds until the rate limit allows the next one; windows are consecutive, not rolling (TS-0001, clause 10.2.10.7). */
  #waitForRate(now: number): number {
    const rate = this.#rate;
    if (rate === undefined || this.#window.sent < rate.number) return 0;
    return Math.max(0, this.#leftOfWindow(now, rate.milliseconds));
  }

  #leftOfWindow(now: number, milliseconds: number): number {
    return milliseconds - (now - this.#window.start) / microsecondsPerMillisecond;
  }

  /** At most so many in so many milliseconds (`rl`). */
  get #rate(): { readonly number: number; readonly milliseconds: number } | undefined {
    const { mnn, tww } = (this.#subscription.values.rl ?? {}) as { mnn?: number; tww?: string };
    const milliseconds = tww === undefined ? undefined : millisecondsOf(tww);
    return mnn === undefined || mnn < 1 || milliseconds === undefined ? undefined : { number: mnn, milliseconds };
  }

  /** True where a message replaces earlier ones: always (`ln`), or when they could not be sent (`pn` 1). */
  get #isLatest(): boolean {
    const { ln, pn } = this.#subscription.values;
    return ln === true || (pn === 1 && this.#unreachable);
  }

  /** `ec` of the next one; one that replaces others is "latest" (TS-0004, clause 7.5.1.2.2, step 4.0). */
  get #category(): number | undefined {
    const { nec } = this.#subscription.values;
    if (this.#isLatest) return latestCategory;
    return typeof nec === 'number' ? nec : undefined;
  }

  /** Drops the oldest beyond the limits for this target and for all; the latest stays. */
  #dropOldest(): void {
    const { waitingNotifications, allWaitingNotifications } = this.#delivery.services.configuration.limits;
    const targets = (this.#subscription.values.nu as readonly string[]).length;
    const maximum = Math.max(1, Math.floor(waitingNotifications / targets));
    const capacity = Math.min(maximum, allWaitingNotifications - (this.#delivery.waiting - this.#weight));
    const before = this.#weight;
    while (this.#weight > capacity && this.#items.length + this.#collected.length > 1) {
      if (this.#shift() !== undefined) continue;
      this.#collected.shift();
      this.#addWeight(-1);
    }
    this.#delivery.dropped += before - this.#weight;
  }

  #shift(): QueuedMessage | undefined {
    const message = this.#items.shift();
    if (message !== undefined) this.#addWeight(-message.weight);
    return message;
  }

  #clear(): void {
    while (this.#items.length > 0) this.#shift();
  }

  #forgetCollected(): void {
    this.#addWeight(-this.#collected.length);
    this.#collected = [];
  }

  #addWeight(more: number): void {
    this.#weight += more;
    this.#delivery.waiting += more;
  }
}
