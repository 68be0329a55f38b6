/** Events, and what the subscriptions of a resource make of them (TS-0001, clause 10.2.10). */
import { microsecondsPerMillisecond } from '../numbers.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import type { JsonText } from '../representation.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import type { GivenAttributes } from '../validate.ts';
import { BlockingUpdates } from './notification-blocking.ts';
import { EventContent, messageOf, notificationOf } from './notification-content.ts';
import { criteriaOf, type Event, eventTypes, eventTypesOf, isWanted } from './notification-criteria.ts';
import { NotificationDelivery } from './notification-delivery.ts';
import { MissingDataWindows } from './notification-missing-data.ts';
import { Outbox } from './notification-outbox.ts';
import { referenceTo } from './notification-target.ts';

/** Milliseconds in which an answer reaches who has asked, before he hears something else. */
const answerFirst = 200;

export class Notifier {
  readonly #services: Services;
  readonly #delivery: NotificationDelivery;
  readonly #watch: ExpirationWatch;
  readonly #blocking: BlockingUpdates;
  readonly #missing: MissingDataWindows;
  readonly #outboxes = new WeakMap<Resource, Outbox>();

  constructor(services: Services) {
    this.#services = services;
    this.#delivery = new NotificationDelivery(services);
    this.#watch = new ExpirationWatch(services);
    this.#blocking = new BlockingUpdates(services, this.#delivery);
    this.#missing = new MissingDataWindows(services.ports.clock);
  }

  /** Notifications that a limit has cost since the start. */
  get dropped(): number {
    return this.#delivery.dropped;
  }

  /** Subscriptions that there are. */
  get subscriptions(): number {
    return this.#watch.subscriptions;
  }

  /** Notifications that wait, with those that are being sent. */
  get waiting(): number {
    return this.#delivery.waiting;
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
    const { configuration, ports } = this.#services;
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
    for (const { subscription, shown } of this.#missing.missed(series, time)) {
      const event = { type: eventTypes.missingData, subject: series, shown, request: undefined };
      this.#notify(subscription, new EventContent(event, this.#services.configuration));
    }
  }

  /**
   * Asks the blocking subscription (event type 7) of a resource that is to be updated, and waits for an update about which one was asked
   * before; undefined when there is neither.
   */
  askBeforeUpdate(resource: Resource, given: GivenAttributes, request: RequestPrimitive): Promise<void> | undefined {
    return this.#blocking.ask(resource, given, request);
  }

  /** Resolves when no update of the resource waits for an answer any more; undefined when none does. */
  openUpdate(resource: Resource): Promise<void> | undefined {
    return this.#blocking.open(resource);
  }

  /** Whether the target takes notifications of the subscription. Rejects with a CseError when it cannot be asked. */
  verify(subscription: Resource, target: string, originator: string | undefined): Promise<ResponsePrimitive> {
    const reference = referenceTo(subscription, target, this.#services.configuration);
    return this.#delivery.sendNow(target, notificationOf(messageOf('vrq', reference, originator), ''));
  }

  /** Sends what a group has gathered of its members. Rejects with a CseError when the target cannot be reached. */
  passOn(target: string, content: JsonText): Promise<ResponsePrimitive> {
    return this.#delivery.sendNow(target, content);
  }

  /** Resolves when nothing is under way; what waits for the clock does not count. */
  settled(): Promise<void> {
    return this.#delivery.settled();
  }

  #happened(watched: Resource | undefined, event: Event): void {
    const subscriptions = watched?.subscriptions;
    if (subscriptions === undefined) return;
    const { configuration } = this.#services;
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
    const { configuration } = this.#services;
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
    const outbox = new Outbox(subscription, this.#services, this.#delivery);
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
