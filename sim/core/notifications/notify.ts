/** Events, and what the subscriptions of a resource make of them (TS-0001, clause 10.2.10). */
import { microsecondsPerMillisecond } from '../numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import { EventContent, messageOf, notificationOf } from './notification-content.ts';
import { criteriaOf, type Event, eventTypes, eventTypesOf, isWanted } from './notification-criteria.ts';
import { NotificationDelivery } from './notification-delivery.ts';
import { missed } from './notification-missing-data.ts';
import { Outbox } from './notification-outbox.ts';
import { referenceTo } from './notification-target.ts';

/** Milliseconds in which an answer reaches who has asked, before he hears something else. */
const answerFirst = 200;

export class Notifier extends NotificationDelivery {
  readonly #watch: ExpirationWatch;
  readonly #outboxes = new WeakMap<Resource, Outbox>();

  constructor(services: Services) {
    super(services);
    this.#watch = new ExpirationWatch(services);
  }

  /** Subscriptions that there are. */
  get subscriptions(): number {
    return this.#watch.subscriptions;
  }

  /** A subscription was stored: from now on, what expires is noticed without a request. */
  subscribed(subscription: Resource): void {
    this.#watch.add();
    this.#tellOfThePast(subscription);
  }

  /** A subscription was put back from a snapshot. */
  restored(): void {
    this.#watch.add();
  }

  /** Attributes of a subscription have changed. */
  resubscribed(subscription: Resource, changed: readonly string[]): void {
    this.#outboxOf(subscription).changed(changed);
  }

  /**
   * A subscription was removed. What waits for its targets is still sent. Its subscriber is told; the dialect says whether who has
   * removed it waits for that.
   */
  unsubscribed(subscription: Resource): Promise<void> | undefined {
    this.#watch.remove();
    const outbox = this.#outboxOf(subscription);
    outbox.end();
    const { su, cr } = subscription.values;
    if (typeof su !== 'string') return undefined;
    const { configuration, ports } = this.services;
    const tell = () => outbox.say(su, messageOf('sud', referenceTo(subscription, su, configuration), cr));
    if (configuration.dialect.subscriberHears === 'before the answer') return tell();
    ports.clock.schedule(answerFirst, tell);
    return undefined;
  }

  /** A resource was stored. `request` is undefined for what the CSE did by itself. */
  created(resource: Resource, request: RequestPrimitive | undefined): void {
    this.#happened(resource.parent, {
      type: eventTypes.createChild,
      operation: 'create',
      subject: resource,
      request,
    });
  }

  /** Attributes of the resource changed; `changed` names them. */
  updated(resource: Resource, changed: readonly string[], request: RequestPrimitive | undefined): void {
    this.#happened(resource, { type: eventTypes.update, operation: 'update', subject: resource, changed, request });
  }

  /** The CSE has changed these attributes by itself. */
  changedHere(resource: Resource, changed: readonly string[]): void {
    resource.modified = this.services.maker.tick();
    this.updated(resource, changed, undefined);
  }

  /** The resource was removed: `itself`, or `with its parent`. */
  removed(resource: Resource, how: 'itself' | 'with its parent', request: RequestPrimitive | undefined): void {
    const event = { subject: resource, request };
    const operation = how === 'itself' ? 'delete' : undefined;
    if (resource.subscriptions !== undefined) {
      this.#happened(resource, { ...event, type: eventTypes.delete, operation });
    }
    if (how === 'itself' && resource.parent?.subscriptions !== undefined) {
      this.#happened(resource.parent, { ...event, type: eventTypes.deleteChild });
    }
  }

  /** The resource was retrieved. */
  retrieved(resource: Resource, request: RequestPrimitive): void {
    this.#happened(resource, { type: undefined, operation: 'retrieve', subject: resource, request });
  }

  /** An instance of the container was asked for, and there is none. */
  foundEmpty(container: Resource, request: RequestPrimitive): void {
    this.#happened(container, { type: eventTypes.retrieveWithoutChild, subject: container, request });
  }

  /** Data of a time series is missing; `time` is when it should have been generated, as it is written. */
  missed(series: Resource, time: unknown): void {
    for (const { subscription, shown } of missed(series, time, this.services.ports.clock)) {
      const event = { type: eventTypes.missingData, subject: series, shown, request: undefined };
      this.#notify(subscription, new EventContent(event, this.services.configuration));
    }
  }

  /** Whether the target takes notifications of the subscription. Rejects with a CseError when it cannot be asked. */
  verify(subscription: Resource, target: string, originator: string | undefined): Promise<ResponsePrimitive> {
    const reference = referenceTo(subscription, target, this.services.configuration);
    return this.passOn(target, notificationOf(messageOf('vrq', reference, originator), ''));
  }

  #happened(watched: Resource | undefined, event: Event): void {
    const subscriptions = watched?.subscriptions;
    if (subscriptions === undefined) return;
    const { configuration } = this.services;
    let content: EventContent | undefined;
    for (const subscription of subscriptions) {
      if (subscription === event.subject || !isWanted(subscription, event, configuration)) continue;
      content ??= new EventContent(event, configuration);
      this.#notify(subscription, content);
    }
  }

  #notify(subscription: Resource, content: EventContent): void {
    this.#outboxOf(subscription).add(content);
  }

  /** `psn`: the latest instances from before the subscription, as if they came now (TS-0001, table 9.6.8-2). */
  #tellOfThePast(subscription: Resource): void {
    const { psn } = subscription.values;
    const instances = subscription.parent?.instances;
    if (typeof psn !== 'number' || instances === undefined) return;
    if (!eventTypesOf(criteriaOf(subscription)).includes(eventTypes.createChild)) return;
    const { configuration } = this.services;
    for (const subject of [...instances].slice(-psn)) {
      const event: Event = { type: eventTypes.createChild, subject, request: undefined };
      if (isWanted(subscription, event, configuration)) {
        this.#notify(subscription, new EventContent(event, configuration));
      }
    }
  }

  #outboxOf(subscription: Resource): Outbox {
    const known = this.#outboxes.get(subscription);
    if (known !== undefined) return known;
    const outbox = new Outbox(subscription, this.services, this);
    this.#outboxes.set(subscription, outbox);
    return outbox;
  }
}

/** Notices what expires without waiting for a request, as long as somebody has subscribed to anything. */
class ExpirationWatch {
  readonly #services: Services;
  #subscriptions = 0;
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(services: Services) {
    this.#services = services;
  }

  get subscriptions(): number {
    return this.#subscriptions;
  }

  /** One subscription more. */
  add(): void {
    if (this.#subscriptions++ > 0) return;
    this.#services.tree.onEarlierExpiration = () => this.#arm();
    this.#arm();
  }

  /** One subscription less. */
  remove(): void {
    if (--this.#subscriptions > 0) return;
    this.#services.tree.onEarlierExpiration = undefined;
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    const { tree, ports } = this.#services;
    const next = tree.nextExpiration;
    if (next === undefined || next >= this.#armedFor) return;
    this.#cancel();
    this.#armedFor = next;
    const milliseconds = Math.ceil((next - ports.clock.now()) / microsecondsPerMillisecond);
    this.#cancel = ports.clock.schedule(Math.max(0, milliseconds), () => this.#look());
  }

  #look(): void {
    const { tree, ports } = this.#services;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancel = () => {};
    tree.expire(ports.clock.now());
    if (this.#subscriptions > 0) this.#arm();
  }
}
