/** Notifications of one subscription: to each target in order, at once or in batches. */

import type { Value } from '../attribute-types.ts';
import type { Resource } from '../resource.ts';
import type { EventContent, SingleNotification } from './notification-content.ts';
import type { NotificationDelivery } from './notification-delivery.ts';
import { NotificationQueue, type Observer } from './notification-queue.ts';

/** Milliseconds that an answer waits for a notification sent before it. */
const maxWait = 1000;

export class Outbox implements Observer {
  readonly #subscription: Resource;
  readonly #delivery: NotificationDelivery;
  /** One for each of its targets. */
  #queues: readonly NotificationQueue[] = [];
  /** The value of `nu` that they were made from. */
  #madeFrom: unknown;
  /** Requests that each has delivered while `exc` was set. */
  readonly #delivered = new Map<NotificationQueue, number>();
  /** The maximum of these: how often `exc` was decremented. */
  #counted = 0;

  constructor(subscription: Resource, delivery: NotificationDelivery) {
    this.#subscription = subscription;
    this.#delivery = delivery;
  }

  /** Notifies every target of the event. */
  add(content: EventContent): void {
    this.#refresh();
    for (const queue of this.#queues) {
      this.#count(queue, 'noec', 1);
      queue.add(content(queue.target, this.#subscription));
    }
  }

  /** Notifies a receiver that need not be a target. Resolves after the attempt, or a while. */
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
    if (names.includes('bn')) for (const queue of this.#queues) void queue.sendBatch();
  }

  /** No more events: sends what was collected, and gives up targets that stay unreachable. */
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

  /** Makes the queues follow `nu`; former targets still get earlier events. */
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
   * `exc` is decremented for each delivered request, once for all targets, and at zero the
   * subscription ends (TS-0004, clause 7.5.1.2.2, step 5.0). Targets that lag behind still get what the others got.
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
    // Unless it is already being removed with its parent.
    const { tree } = this.#delivery.services;
    const { parent } = this.#subscription;
    if (tree.holds(this.#subscription) && parent !== undefined && tree.holds(parent)) tree.remove(this.#subscription);
  }

  /** Counts where statistics are enabled. The entry counted last is last in the list. */
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
  void queue.sendBatch();
  queue.ending = true;
}

/** Requests sent, responses received, events notified: to one target (`nsi`: setOfNotificationStatsInfo of TS-0004). */
type Counter = 'rqs' | 'rsr' | 'noec';

type Counts = Readonly<Record<Counter, number>> & { readonly tg: string };
