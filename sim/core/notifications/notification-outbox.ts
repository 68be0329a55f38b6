/** What one subscription sends: to each of its targets in order, at once or in batches. */

import type { Value } from '../attribute-types.ts';
import { millisecondsOf } from '../duration.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import { closingOf, type EventContent } from './notification-content.ts';
import type { NotificationDelivery } from './notification-delivery.ts';
import { latestCategory, NotificationQueue, type QueueSettings } from './notification-queue.ts';
import { referenceTo } from './notification-target.ts';

/** Milliseconds that an answer waits for somebody who is told first. */
const longestWait = 1000;

export class Outbox {
  readonly #subscription: Resource;
  readonly #services: Services;
  readonly #delivery: NotificationDelivery;
  /** One for each of its targets. */
  #queues: readonly NotificationQueue[] = [];
  /** The attributes from which they were made. */
  #madeFrom: Resource['values'] | undefined;
  /** How many requests each of them has sent with success, since `exc` is looked at. */
  readonly #delivered = new Map<NotificationQueue, number>();
  /** The most that one of them has: so many times `exc` has gone down. */
  #counted = 0;
  /** Calls off the end of the batches that are being collected. */
  readonly #batches = new Map<NotificationQueue, () => void>();

  constructor(subscription: Resource, services: Services, delivery: NotificationDelivery) {
    this.#subscription = subscription;
    this.#services = services;
    this.#delivery = delivery;
  }

  /** Tells every target of the event. */
  add(content: EventContent): void {
    const { values } = this.#subscription;
    this.#refresh();
    const opening = content.opening(this.#subscription);
    const originator = values.eeno === true ? content.event.request?.from : undefined;
    for (const queue of this.#queues) {
      count(this.#subscription, queue.target, 'noec', 1);
      if (values.bn === undefined && originator === undefined) void this.#delivery.enqueue(queue, opening);
      else this.#addWhole(queue, opening + this.#closing(queue.target, originator));
    }
  }

  /** Says something to somebody, who need not be a target. Resolves when that was tried, or after a while. */
  say(target: string, text: string): Promise<void> {
    const queue = this.#queues.find((one) => one.target === target) ?? this.#newQueue(target);
    queue.ending = true;
    const tried = this.#delivery.enqueue(queue, { parts: [text], aggregated: false });
    const { clock } = this.#services.ports;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = clock.schedule(longestWait, resolve);
    });
    return Promise.race([tried, late]).finally(cancel);
  }

  /** The attributes of the subscription have changed. */
  changed(names: readonly string[]): void {
    this.#refresh();
    if (names.includes('bn')) this.#flush();
  }

  /** Nothing comes any more: what is collected is sent, and who cannot be reached for long is given up. */
  end(): void {
    this.#flush();
    for (const queue of this.#queues) queue.ending = true;
  }

  #addWhole(queue: NotificationQueue, notification: string): void {
    const { bn } = this.#subscription.values;
    if (bn === undefined) {
      void this.#delivery.enqueue(queue, { parts: [notification], aggregated: false });
      return;
    }
    const { num, dur } = bn as { num?: number; dur?: string };
    this.#delivery.collect(queue, notification);
    if (num !== undefined && num > 0 && queue.collected >= num) this.#sendBatch(queue);
    else if (dur !== undefined && !this.#batches.has(queue)) {
      const { clock } = this.#services.ports;
      this.#batches.set(
        queue,
        clock.schedule(millisecondsOf(dur) ?? 0, () => this.#sendBatch(queue)),
      );
    }
  }

  #sendBatch(queue: NotificationQueue): void {
    this.#batches.get(queue)?.();
    this.#batches.delete(queue);
    this.#delivery.sendBatch(queue);
  }

  #flush(): void {
    for (const queue of this.#queues) this.#sendBatch(queue);
  }

  /** The queues follow the attributes; targets that are named no more get what has happened so far. */
  #refresh(): void {
    const { values } = this.#subscription;
    if (values === this.#madeFrom) return;
    this.#madeFrom = values;
    const targets = [...new Set(values.nu as readonly string[])];
    const former = this.#queues;
    this.#queues = targets.map((target) => former.find((one) => one.target === target) ?? this.#newQueue(target));
    for (const queue of this.#queues) queue.settings = this.#settings(queue.target);
    for (const queue of former) {
      if (this.#queues.includes(queue)) continue;
      this.#sendBatch(queue);
      queue.ending = true;
    }
  }

  #newQueue(target: string): NotificationQueue {
    const observer = {
      sent: (notifications: number) => count(this.#subscription, target, 'rqs', notifications),
      answered: (notifications: number) => {
        count(this.#subscription, target, 'rsr', notifications);
        if (this.#subscription.values.exc !== undefined) this.#countDown(queue);
      },
    };
    const queue = new NotificationQueue(target, observer, this.#settings(target));
    return queue;
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
    for (const one of this.#queues) this.#delivery.keep(one, delivered - (this.#delivered.get(one) ?? 0));
    this.#remove();
  }

  /** What is being removed with its parent goes without help. */
  #remove(): void {
    const { tree } = this.#services;
    const { parent } = this.#subscription;
    if (tree.holds(this.#subscription) && parent !== undefined && tree.holds(parent)) tree.remove(this.#subscription);
  }

  #settings(target: string): QueueSettings {
    const { waitingNotifications } = this.#services.configuration.limits;
    const { ln, pn, nec, rl, nu } = this.#subscription.values;
    const { mnn, tww } = (rl ?? {}) as { mnn?: number; tww?: string };
    const milliseconds = tww === undefined ? undefined : millisecondsOf(tww);
    const latestOnly = ln === true;
    return {
      closing: this.#closing(target, undefined),
      most: Math.max(1, Math.floor(waitingNotifications / (nu as readonly string[]).length)),
      latestOnly,
      latestPending: pn === 1,
      rate: mnn === undefined || mnn < 1 || milliseconds === undefined ? undefined : { number: mnn, milliseconds },
      category: latestOnly ? latestCategory : typeof nec === 'number' ? nec : undefined,
    };
  }

  #closing(target: string, originator: string | undefined): string {
    const reference = referenceTo(this.#subscription, target, this.#services.configuration);
    return closingOf(this.#subscription, reference, originator);
  }
}

// What was sent to each target of a subscription with `nse` (`nsi`: setOfNotificationStatsInfo of TS-0004).

/** Requests sent, responses received, events notified. */
type Counter = 'rqs' | 'rsr' | 'noec';

type Counts = Readonly<Record<Counter, number>> & { readonly tg: string };

/** Counts where statistics are enabled. The list begins with what is counted first. */
function count({ values }: Resource, target: string, counter: Counter, more: number): void {
  if (values.nse !== true) return;
  const known = (values.nsi as readonly Counts[] | undefined) ?? [];
  const counts = known.find(({ tg }) => tg === target) ?? { tg: target, rqs: 0, rsr: 0, noec: 0 };
  const counted: Counts = { ...counts, [counter]: counts[counter] + more };
  values.nsi = [...known.filter(({ tg }) => tg !== target), counted] satisfies Value;
}
