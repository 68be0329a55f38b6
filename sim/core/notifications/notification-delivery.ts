/** Brings notifications to their targets, never in the turn of the request that caused them. */

import type { ResponsePrimitive } from '../primitive.ts';
import type { JsonText } from '../representation.ts';
import type { Services } from '../services.ts';
import { CseError, TARGET_NOT_REACHABLE } from '../status.ts';
import { notificationOf } from './notification-content.ts';
import { type NotificationQueue, type Waiting, weightOf } from './notification-queue.ts';

export class NotificationDelivery {
  protected readonly services: Services;
  #underWay = 0;
  #settled: Array<() => void> = [];
  /** Queues with something to send. One is let go in each turn of the event loop, so that requests keep most of it. */
  readonly #nextToSend: Array<() => void> = [];
  #waiting = 0;
  /** Notifications that a limit has cost. */
  dropped = 0;

  constructor(services: Services) {
    this.services = services;
  }

  /** Notifications that wait, with those that are being sent. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Resolves when all that waits was tried once; at once where the target is not to be had now. */
  enqueue(queue: NotificationQueue, waiting: Waiting): Promise<void> {
    this.#bounded(queue, () => queue.push(waiting));
    if (queue.busy) return Promise.resolve();
    const drained = this.#drain(queue);
    return this.#isPolled(queue.target) ? Promise.resolve() : drained;
  }

  /** Keeps a notification for a batch. */
  collect(queue: NotificationQueue, notification: string): void {
    this.#bounded(queue, () => queue.collect(notification));
  }

  /** Sends what was collected as one. */
  sendBatch(queue: NotificationQueue): void {
    if (queue.collected === 0) return;
    this.#bounded(queue, () => queue.closeBatch());
    if (!queue.busy) void this.#drain(queue);
  }

  /** Forgets what waits behind so many messages, one that is on its way included. */
  keep(queue: NotificationQueue, messages: number): void {
    this.#booked(queue, () => queue.keep(Math.max(0, messages - (queue.sending ? 1 : 0))));
  }

  /** Resolves when nothing is under way; what waits for the clock does not count. */
  settled(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#settled.push(resolve));
  }

  /** One at once, beside all queues; the answer of the target. Rejects with a CseError when there is none. */
  async passOn(target: string, content: JsonText): Promise<ResponsePrimitive> {
    this.#underWay++;
    try {
      return await this.#send(target, content, undefined);
    } finally {
      this.#end();
    }
  }

  /** Keeps the books of what a change of a queue does to its weight. */
  #booked<Result>(queue: NotificationQueue, change: () => Result): Result {
    const before = queue.weight;
    const result = change();
    this.#waiting += queue.weight - before;
    return result;
  }

  /** The same, within the limits. */
  #bounded(queue: NotificationQueue, change: () => void): void {
    const { allWaitingNotifications } = this.services.configuration.limits;
    const room = Math.min(queue.settings.most, allWaitingNotifications - (this.#waiting - queue.weight));
    this.#booked(queue, () => {
      change();
      for (let dropped = 1; queue.weight > room && dropped > 0; this.dropped += dropped) dropped = queue.dropOldest();
    });
  }

  async #drain(queue: NotificationQueue): Promise<void> {
    const { clock, onError, nextTurn } = this.services.ports;
    queue.busy = true;
    this.#underWay++;
    const pause = await this.#work(queue).catch((error: unknown) => {
      onError(error);
      return 0;
    });
    queue.busy = pause > 0;
    if (pause > 0) {
      clock.schedule(pause, () => {
        const drained = this.#drain(queue);
        // What waits in a polling channel waits for the clock, which must not wait for more than that it is there.
        return this.#isPolled(queue.target) ? nextTurn() : drained;
      });
    }
    this.#end();
  }

  /** Sends until nothing is left, or until it is time to wait: so many milliseconds. */
  async #work(queue: NotificationQueue): Promise<number> {
    const { clock } = this.services.ports;
    for (;;) {
      const wait = queue.waitForRate(clock.now());
      if (wait > 0 && queue.length > 0) return wait;
      if (queue.length > 0) await this.#itsTurn();
      const waiting = queue.take();
      if (waiting === undefined) return 0;
      const pause = await this.#attempt(queue, waiting);
      if (pause > 0) return pause;
    }
  }

  /** Milliseconds to wait when the target cannot be reached, else 0. */
  async #attempt(queue: NotificationQueue, waiting: Waiting): Promise<number> {
    const weight = weightOf(waiting);
    const { category } = queue;
    const { closing } = queue.settings;
    try {
      queue.observer.sent(weight);
      queue.sending = true;
      await this.#send(queue.target, notificationOf(waiting, closing), category);
    } catch (error) {
      queue.sending = false;
      this.#waiting -= weight;
      if (!(error instanceof CseError)) throw error;
      return this.#booked(queue, () => queue.failed(waiting));
    }
    queue.sending = false;
    this.#waiting -= weight;
    queue.observer.answered(weight);
    queue.succeeded(this.services.ports.clock.now());
    return 0;
  }

  #itsTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#nextToSend.push(resolve);
      if (this.#nextToSend.length === 1) void this.#admit();
    });
  }

  async #admit(): Promise<void> {
    do {
      await this.services.ports.nextTurn();
      this.#nextToSend[0]?.();
      this.#nextToSend.shift();
    } while (this.#nextToSend.length > 0);
  }

  async #send(target: string, content: JsonText, category: number | undefined): Promise<ResponsePrimitive> {
    const { outgoing } = this.services;
    const polled = this.#isPolled(target);
    if (polled) this.#end();
    try {
      const ofCategory = category === undefined ? {} : { eventCategory: category };
      const notification = outgoing.ownRequest({ operation: 'notify', content, ...ofCategory });
      const answer = await outgoing.send(target, notification);
      // A CSE on the way says so for the target; a target that answers by itself has got its notification, whatever it says.
      if (answer.status === TARGET_NOT_REACHABLE && !isUrl(target)) {
        throw new CseError(TARGET_NOT_REACHABLE, `${target} cannot be reached.`);
      }
      return answer;
    } finally {
      if (polled) this.#underWay++;
    }
  }

  #isPolled(target: string): boolean {
    return this.services.outgoing.destinationOf(target).kind === 'polling channel';
  }

  #end(): void {
    this.#underWay--;
    if (this.#underWay > 0) return;
    const waiting = this.#settled;
    this.#settled = [];
    for (const resolve of waiting) resolve();
  }
}

const isUrl = (target: string) => /^https?:/i.test(target);
