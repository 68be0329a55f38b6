/** Events, and what the subscriptions of a resource make of them (TS-0001, clause 10.2.10). */
import { millisecondsOf } from './duration.ts';
import { ExpirationWatch } from './expiration-watch.ts';
import { EventContent, messageOf, notificationOf, referenceTo } from './notification-content.ts';
import { type Event, eventTypes, isWanted } from './notification-criteria.ts';
import { NotificationDelivery } from './notification-delivery.ts';
import { NotificationQueue, type QueueSettings } from './notification-queue.ts';
import { statisticsOf } from './notification-statistics.ts';
import type { RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { Services } from './services.ts';
import { CseError, OPERATION_DENIED_BY_REMOTE_ENTITY, REMOTE_ENTITY_NOT_REACHABLE } from './status.ts';
import type { GivenAttributes } from './validate.ts';

/** What one subscription has going on. */
interface Going {
  readonly queues: Map<string, NotificationQueue>;
  /** Notifications that wait to be sent as one, by target. */
  readonly batches: Map<string, { readonly parts: string[]; readonly cancel: () => void }>;
}

/** Seconds that a batch waits when `bn` does not say. */
const usualBatchSeconds = 60;

export class Notifier {
  readonly #services: Services;
  readonly #delivery: NotificationDelivery;
  readonly #watch: ExpirationWatch;
  readonly #going = new WeakMap<Resource, Going>();

  constructor(services: Services) {
    this.#services = services;
    this.#delivery = new NotificationDelivery(services);
    this.#watch = new ExpirationWatch(services);
  }

  /** Notifications that a limit has cost since the start. */
  get dropped(): number {
    return this.#delivery.dropped;
  }

  /** A subscription was stored: from now on, what expires is noticed without a request. */
  subscribed(): void {
    this.#watch.add();
  }

  /** A subscription was removed. Its subscriber is told; what waits for its targets is still sent. */
  unsubscribed(subscription: Resource): void {
    this.#watch.remove();
    this.#flush(subscription);
    const { su } = subscription.values;
    if (typeof su !== 'string') return;
    const reference = referenceTo(subscription, su, this.#services.configuration);
    const queue = this.#queueOf(subscription, su);
    this.#delivery.enqueue(queue, messageOf(subscription, reference, 'sud'), silent);
  }

  /** A resource was stored. `request` is undefined for what the CSE did by itself. */
  created(resource: Resource, request: RequestPrimitive | undefined): void {
    this.#happened(resource.parent, { type: eventTypes.createChild, subject: resource, request });
  }

  /** Attributes of the resource changed; `changed` names them. */
  updated(resource: Resource, changed: readonly string[], request: RequestPrimitive | undefined): void {
    this.#happened(resource, { type: eventTypes.update, subject: resource, changed, request });
  }

  /** The resource was removed: `itself`, or `with its parent`. */
  removed(resource: Resource, how: 'itself' | 'with its parent', request: RequestPrimitive | undefined): void {
    this.#happened(resource, { type: eventTypes.delete, subject: resource, request });
    if (how === 'itself') this.#happened(resource.parent, { type: eventTypes.deleteChild, subject: resource, request });
  }

  /** An instance of the container was asked for, and there is none. */
  foundEmpty(container: Resource, request: RequestPrimitive): void {
    this.#happened(container, { type: eventTypes.retrieveWithoutChild, subject: container, request });
  }

  /** Asks the blocking subscriptions (event type 7) of a resource that is to be updated; undefined when there is none. */
  askBeforeUpdate(resource: Resource, given: GivenAttributes, request: RequestPrimitive): Promise<void> | undefined {
    const changed = [...Object.keys(given.values), ...given.removed];
    if (given.labels !== undefined) changed.push('lbl');
    if (given.expires !== undefined) changed.push('et');
    const event: Event = { type: eventTypes.blockingUpdate, subject: resource, changed, request };
    const asked = (resource.subscriptions ?? []).filter((one) => isWanted(one, event));
    return asked.length === 0 ? undefined : this.#askAll(asked, event, given);
  }

  /** Whether the target takes notifications of the subscription. Rejects with a CseError when it cannot be asked. */
  verify(subscription: Resource, target: string, originator: string | undefined): Promise<ResponsePrimitive> {
    const reference = referenceTo(subscription, target, this.#services.configuration);
    return this.#delivery.sendNow(target, messageOf(subscription, reference, 'vrq', originator));
  }

  /** Resolves when nothing is under way; what waits for the clock does not count. */
  settled(): Promise<void> {
    return this.#delivery.settled();
  }

  #happened(watched: Resource | undefined, event: Event): void {
    const subscriptions = watched?.subscriptions;
    if (subscriptions === undefined || subscriptions.length === 0) return;
    this.#watch.arm();
    let content: EventContent | undefined;
    for (const subscription of subscriptions) {
      if (subscription === event.subject || !isWanted(subscription, event)) continue;
      content ??= new EventContent(event, this.#services.configuration);
      this.#notify(subscription, content);
    }
  }

  #notify(subscription: Resource, content: EventContent): void {
    const { values } = subscription;
    const statistics = statisticsOf(subscription);
    for (const target of values.nu as readonly string[]) {
      const part = content.notification(subscription, referenceTo(subscription, target, this.#services.configuration));
      statistics.event(target);
      if (values.bn === undefined) this.#enqueue(subscription, target, [part], false);
      else this.#collect(subscription, target, part);
    }
    if (typeof values.exc === 'number') this.#countDown(subscription, values.exc);
  }

  /** `exc`: the subscription ends with its last notification. */
  #countDown(subscription: Resource, left: number): void {
    subscription.values = { ...subscription.values, exc: left - 1 };
    if (left > 1) return;
    this.#flush(subscription);
    if (this.#services.tree.holds(subscription)) this.#services.tree.remove(subscription);
  }

  #collect(subscription: Resource, target: string, part: string): void {
    const { batches } = this.#goingOf(subscription);
    const { num, dur } = subscription.values.bn as { num?: number; dur?: string };
    const batch = batches.get(target) ?? { parts: [], cancel: this.#later(subscription, target, dur) };
    batches.set(target, batch);
    batch.parts.push(part);
    if (num !== undefined && num > 0 && batch.parts.length >= num) this.#sendBatch(subscription, target);
  }

  #later(subscription: Resource, target: string, duration: string | undefined): () => void {
    const milliseconds = (duration === undefined ? undefined : millisecondsOf(duration)) ?? usualBatchSeconds * 1000;
    return this.#services.ports.clock.schedule(milliseconds, () => this.#sendBatch(subscription, target));
  }

  #sendBatch(subscription: Resource, target: string): void {
    const { batches } = this.#goingOf(subscription);
    const batch = batches.get(target);
    if (batch === undefined) return;
    batch.cancel();
    batches.delete(target);
    const latestOnly = subscription.values.ln === true;
    this.#enqueue(subscription, target, latestOnly ? batch.parts.slice(-1) : batch.parts, true);
  }

  /** Sends the batches that have not come to their end. */
  #flush(subscription: Resource): void {
    for (const target of [...this.#goingOf(subscription).batches.keys()]) this.#sendBatch(subscription, target);
  }

  #enqueue(subscription: Resource, target: string, parts: readonly string[], aggregated: boolean): void {
    const statistics = statisticsOf(subscription);
    const told = { sent: () => statistics.sent(target), answered: () => statistics.answered(target) };
    this.#delivery.enqueue(this.#queueOf(subscription, target), notificationOf(parts, aggregated), told);
  }

  #queueOf(subscription: Resource, target: string): NotificationQueue {
    const { queues } = this.#goingOf(subscription);
    const settings = settingsOf(subscription);
    const queue = queues.get(target) ?? new NotificationQueue(target, settings);
    queue.settings = settings;
    queues.set(target, queue);
    return queue;
  }

  #goingOf(subscription: Resource): Going {
    const known = this.#going.get(subscription);
    if (known !== undefined) return known;
    const going: Going = { queues: new Map(), batches: new Map() };
    this.#going.set(subscription, going);
    return going;
  }

  async #askAll(subscriptions: readonly Resource[], event: Event, given: GivenAttributes): Promise<void> {
    const { configuration } = this.#services;
    const proposed = proposal(event, given);
    for (const subscription of subscriptions) {
      const [target = ''] = subscription.values.nu as readonly string[];
      const content = new EventContent(proposed, configuration);
      const part = content.notification(subscription, referenceTo(subscription, target, configuration));
      const { status } = await this.#delivery.sendNow(target, notificationOf([part], false)).catch(unreachable);
      if (status.code >= 3000) {
        throw new CseError(
          OPERATION_DENIED_BY_REMOTE_ENTITY,
          `${target} does not agree to the update (${status.code}).`,
        );
      }
    }
  }
}

const silent = { sent() {}, answered() {} };

function unreachable(error: unknown): never {
  if (!(error instanceof CseError)) throw error;
  throw new CseError(
    REMOTE_ENTITY_NOT_REACHABLE,
    `The update waits for somebody who cannot be reached: ${error.message}`,
  );
}

/** The event with the resource as it would be. */
function proposal(event: Event, { values, removed, labels, expires }: GivenAttributes): Event {
  const { subject } = event;
  const kept = { ...subject.values, ...values };
  for (const name of removed) delete kept[name];
  const shown: Resource = Object.create(subject, {
    values: { value: kept },
    ...(labels !== undefined && { labels: { value: labels } }),
    ...(expires !== undefined && { expires: { value: expires } }),
  });
  return { ...event, subject: shown };
}

function settingsOf({ values }: Resource): QueueSettings {
  const { mnn, tww } = (values.rl ?? {}) as { mnn?: number; tww?: string };
  const milliseconds = tww === undefined ? undefined : millisecondsOf(tww);
  return {
    latestOnly: values.ln === true,
    latestPending: values.pn === 1,
    rate: mnn === undefined || mnn < 1 || milliseconds === undefined ? undefined : { number: mnn, milliseconds },
  };
}
