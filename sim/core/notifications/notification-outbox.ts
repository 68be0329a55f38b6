/** What one subscription sends: to each of its targets in order, at once or in batches. */

import type { Value } from '../attribute-types.ts';
import type { Resource } from '../resource.ts';
import type { EventContent, SingleNotification } from './notification-content.ts';
import type { NotificationDelivery } from './notification-delivery.ts';
import { NotificationQueue, type Observer } from './notification-queue.ts';

/** Milliseconds that an answer waits for somebody who is told first. */
const maxWait = 1000;

export class Outbox implements Observer {
  readonly #subscription: Resource;
  readonly #delivery: NotificationDelivery;
  /** One for each of its targets. */
  #queues: readonly NotificationQueue[] = [];
  /** The value of `nu` from which they were made. */
  #madeFrom: unknown;
  /** How many requests each of them has sent with success, since `exc` is looked at. */
  readonly #delivered = new Map<NotificationQueue, number>();
  /** The most that one of them has: so many times `exc` has gone down. */
  #counted = 0;

  constructor(subscription: Resource, delivery: NotificationDelivery) {
    this.#subscription = subscription;
    this.#delivery = delivery;
  }

  /** Tells every target of the event. */
  add(content: EventContent): void {
    this.#refresh();
    for (const queue of this.#queues) {
      this.#count(queue, 'noec', 1);
      queue.add(content(queue.target, this.#subscription));
    }
  }

  /** Says something to somebody, who need not be a target. Resolves when that was tried, or after a while. */
  sendTo(target: string, notification: SingleNotification): Promise<void> {
    const queue = this.#queues.find((one) => one.target === target) ?? this.#newQueue(target);
    queue.ending = true;
    const attempt = queue.push(notification);
    const { clock } = this.#delivery.services.ports;
    let cancel = () => {};
    const timeout = new Promise<void>((resolve) => {
      cancel = clock.schedule(maxWait, resolve);
    });
    return Promise.race([attempt, timeout]).finally(cancel);
  }

  /** The attributes of the subscription have changed. */
  changed(names: readonly string[]): void {
    this.#refresh();
    if (names.includes('bn')) for (const queue of this.#queues) queue.sendBatch();
  }

  /** Nothing comes any more: what is collected is sent, and who cannot be reached for long is given up. */
  end(): void {
    for (const queue of this.#queues) finish(queue);
  }

  sent(queue: NotificationQueue, notifications: number): void {
    this.#count(queue, 'rqs', notifications);
  }

  answered(queue: NotificationQueue, notifications: number): void {
    this.#count(queue, 'rsr', notifications);
    if (this.#subscription.values.exc !== undefined) this.#countDown(queue);
  }

  /** The queues follow the attributes; targets that are named no more get what has happened so far. */
  #refresh(): void {
    const { nu } = this.#subscription.values;
    if (nu === this.#madeFrom) return;
    this.#madeFrom = nu;
    const targets = [...new Set(nu as readonly string[])];
    const former = this.#queues;
    this.#queues = targets.map((target) => former.find((one) => one.target === target) ?? this.#newQueue(target));
    for (const queue of former) if (!this.#queues.includes(queue)) finish(queue);
  }

  #newQueue(target: string): NotificationQueue {
    return new NotificationQueue(target, this.#subscription, this.#delivery, this);
  }

  /**
   * `exc` goes down with each request that was sent with success, whatever the number of targets to which it went, and at zero the
   * subscription ends (TS-0004, clause 7.5.1.2.2, step 5.0). Targets that are behind still get what the others have got.
   */
  #countDown(queue: NotificationQueue): void {
    if (!this.#queues.includes(queue)) return;
    const delivered = (this.#delivered.get(queue) ?? 0) + 1;
    this.#delivered.set(queue, delivered);
    if (delivered <= this.#counted) return;
    this.#counted = delivered;
    const left = Number(this.#subscription.values.exc) - 1;
    this.#subscription.values = { ...this.#subscription.values, exc: Math.max(0, left) };
    if (left > 0) return;
    for (const one of this.#queues) one.keepOnly(delivered - (this.#delivered.get(one) ?? 0));
    // What is being removed with its parent goes without help.
    const { tree } = this.#delivery.services;
    const { parent } = this.#subscription;
    if (tree.holds(this.#subscription) && parent !== undefined && tree.holds(parent)) tree.remove(this.#subscription);
  }

  /** Counts where statistics are enabled. The list begins with what is counted first. */
  #count({ target }: NotificationQueue, counter: Counter, more: number): void {
    const { values } = this.#subscription;
    if (values.nse !== true) return;
    const known = (values.nsi as readonly Counts[] | undefined) ?? [];
    const counts = known.find(({ tg }) => tg === target) ?? { tg: target, rqs: 0, rsr: 0, noec: 0 };
    const counted: Counts = { ...counts, [counter]: counts[counter] + more };
    values.nsi = [...known.filter(({ tg }) => tg !== target), counted] satisfies Value;
  }
}

function finish(queue: NotificationQueue): void {
  queue.sendBatch();
  queue.ending = true;
}

/** Requests sent, responses received, events notified: to one target (`nsi`: setOfNotificationStatsInfo of TS-0004). */
type Counter = 'rqs' | 'rsr' | 'noec';

type Counts = Readonly<Record<Counter, number>> & { readonly tg: string };
