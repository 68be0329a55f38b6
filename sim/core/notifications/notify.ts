/** Events, and which subscriptions are notified of them (TS-0001, clause 10.2.10). */
import type { Scheduler } from '../configuration.ts';
import { getOrInsert } from '../memoize.ts';
import { microsecondsPerMillisecond, millisecondsOf } from '../numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { Notifications } from '../services.ts';
import { contentOf, type EventContent, referenceTo } from './notification-content.ts';
import { criteriaOf, type Event, eventTypes, eventTypesOf, matchesEvent } from './notification-criteria.ts';
import { NotificationDelivery } from './notification-delivery.ts';
import { Outbox } from './notification-outbox.ts';

/** Milliseconds for the answer to reach the requester before the notification does. */
const deletionDelay = 200;

const outboxes = new WeakMap<Resource, Outbox>();
const nothing = () => {};

export class Notifier extends NotificationDelivery implements Notifications {
  /** Number of subscriptions. */
  subscriptions = 0;
  /** When the next expiration is handled, while there are subscriptions; otherwise the next request does that. */
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => unknown = nothing;

  /** A subscription was stored: from now on, expirations are noticed without a request. */
  subscribed(subscription: Resource): void {
    this.restored();
    // `psn`: the latest instances from before the subscription, as if created now (TS-0001, table 9.6.8-2).
    const { psn } = subscription.values;
    const instances = subscription.parent?.instances;
    if (typeof psn !== 'number' || instances === undefined) return;
    if (!eventTypesOf(criteriaOf(subscription)).includes(eventTypes.createChild)) return;
    const { configuration } = this.services;
    for (const subject of instances.latest(psn)) {
      const event: Event = { type: eventTypes.createChild, subject, request: undefined };
      if (matchesEvent(subscription, event, configuration)) {
        this.#notify(subscription, contentOf(event, configuration));
      }
    }
  }

  /** A subscription was restored from a snapshot. */
  restored(): void {
    if (this.subscriptions++ > 0) return;
    this.services.tree.onEarlierExpiration = () => this.#arm();
    this.#arm();
  }

  /** Attributes of a subscription have changed. */
  resubscribed(subscription: Resource, changed: readonly string[]): void {
    this.#outboxOf(subscription).changed(changed);
  }

  /**
   * A subscription was removed. Waiting notifications are still sent, and its subscriber is notified; the dialect decides whether
   * the answer waits for that.
   */
  unsubscribed(subscription: Resource): Promise<void> | undefined {
    if (--this.subscriptions === 0) {
      this.services.tree.onEarlierExpiration = undefined;
      this.#disarm();
      this.#armedFor = Number.POSITIVE_INFINITY;
    }
    const outbox = this.#outboxOf(subscription);
    outbox.end();
    const { su, cr } = subscription.values;
    if (typeof su !== 'string') return undefined;
    const { configuration, ports, outgoing } = this.services;
    const { cause } = outgoing;
    const notify = () => outbox.sendTo(su, { sud: true, sur: referenceTo(subscription, su, configuration), cr });
    if (configuration.dialect.name === 'onem2m') return notify();
    // Deployed application frameworks forget a subscription once its deletion is answered, and stumble over an earlier notification.
    ports.clock.schedule(deletionDelay, () => outgoing.causedBy(cause, notify));
    return undefined;
  }

  /** A resource was stored. `request` is undefined for an action of the CSE itself. */
  created(resource: Resource, request: RequestPrimitive | undefined): void {
    this.#dispatch(resource.parent, { type: eventTypes.createChild, operation: 'create', subject: resource, request });
  }

  /** Attributes of the resource changed; `changed` names them. */
  updated(resource: Resource, changed: readonly string[], request: RequestPrimitive | undefined): void {
    this.#dispatch(resource, { type: eventTypes.update, operation: 'update', subject: resource, changed, request });
  }

  /** The CSE changed these attributes itself. */
  changedByCse(resource: Resource, changed: readonly string[]): void {
    resource.modified = this.services.maker.tick();
    this.updated(resource, changed, undefined);
  }

  /** The resource was removed: `itself`, or `with its parent`. */
  removed(resource: Resource, how: 'itself' | 'with its parent', request: RequestPrimitive | undefined): void {
    const event = { subject: resource, request };
    const operation = how === 'itself' ? 'delete' : undefined;
    if (resource.subscriptions !== undefined) {
      this.#dispatch(resource, { ...event, type: eventTypes.delete, operation });
    }
    if (how === 'itself' && resource.parent?.subscriptions !== undefined) {
      this.#dispatch(resource.parent, { ...event, type: eventTypes.deleteChild });
    }
  }

  /** The resource was retrieved. */
  retrieved(resource: Resource, request: RequestPrimitive): void {
    this.#dispatch(resource, { type: undefined, operation: 'retrieve', subject: resource, request });
  }

  /** An instance of an empty container was requested. */
  foundEmpty(container: Resource, request: RequestPrimitive): void {
    this.#dispatch(container, { type: eventTypes.retrieveWithoutChild, subject: container, request });
  }

  /** Data of a time series is missing; `time` is when it was due, in wire form. */
  reportMissing(series: Resource, time: unknown): void {
    for (const { subscription, representation } of reportsOn(series, time, this.services.ports.clock)) {
      const event = { type: eventTypes.missingData, subject: series, representation, request: undefined };
      this.#notify(subscription, contentOf(event, this.services.configuration));
    }
  }

  /** Asks the target whether it accepts notifications of the subscription. Rejects with a CseError when it cannot be asked. */
  verify(subscription: Resource, target: string, originator: string | undefined): Promise<ResponsePrimitive> {
    const sur = referenceTo(subscription, target, this.services.configuration);
    return this.forward(target, { 'm2m:sgn': { vrq: true, sur, cr: originator } });
  }

  #dispatch(watched: Resource | undefined, event: Event): void {
    const subscriptions = watched?.subscriptions;
    if (subscriptions === undefined) return;
    const { configuration } = this.services;
    let content: EventContent | undefined;
    for (const subscription of subscriptions) {
      if (subscription === event.subject || !matchesEvent(subscription, event, configuration)) continue;
      content ??= contentOf(event, configuration);
      this.#notify(subscription, content);
    }
  }

  #notify(subscription: Resource, content: EventContent): void {
    this.#outboxOf(subscription).add(content);
  }

  #arm(): void {
    const { tree, ports } = this.services;
    const next = tree.nextExpiration;
    if (next === undefined || next >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = next;
    const milliseconds = Math.ceil((next - ports.clock.now()) / microsecondsPerMillisecond);
    this.#disarm = ports.clock.schedule(Math.max(0, milliseconds), () => {
      this.#armedFor = Number.POSITIVE_INFINITY;
      this.#disarm = nothing;
      tree.expire(ports.clock.now());
      if (this.subscriptions > 0) this.#arm();
      return this.settled();
    });
  }

  #outboxOf(subscription: Resource): Outbox {
    return getOrInsert(outboxes, subscription, () => new Outbox(subscription, this));
  }
}

// Reports on missing data of a time series: event type 8 with `md`, a number within a duration (TS-0001, table 9.6.8-3).

/** Times of missing data in the current window, by subscription. */
const windows = new WeakMap<Resource, unknown[]>();

/** Subscriptions whose `md` is now reached, each with its `timeSeriesNotification` (TS-0004). */
function reportsOn(series: Resource, time: unknown, clock: Scheduler) {
  const reports: { readonly subscription: Resource; readonly representation: object }[] = [];
  for (const subscription of series.subscriptions ?? []) {
    const criteria = criteriaOf(subscription);
    if (criteria.md === undefined || !eventTypesOf(criteria).includes(eventTypes.missingData)) continue;
    const { num, dur } = criteria.md;
    const mdlt = getOrInsert(windows, subscription, () => {
      clock.schedule(millisecondsOf(dur) ?? 0, () => void windows.delete(subscription));
      return [];
    });
    const mdc = mdlt.push(time);
    // Each report lists all of them (TS-0001, clause 10.2.4.29).
    if (mdc >= num) reports.push({ subscription, representation: { 'm2m:tsn': { mdlt: [...mdlt], mdc } } });
  }
  return reports;
}
