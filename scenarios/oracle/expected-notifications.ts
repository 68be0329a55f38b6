import { isDeepStrictEqual } from 'node:util';
import { getOrAdd } from '../engine/basics/memoize.ts';
import { isSuccess } from '../engine/judging/answer.ts';
import { hasEvent, type NotificationDemand, namesSubscription } from './notification-demands.ts';
import type { NewResource } from './observation/changes.ts';
import { isDeletion, mayChange } from './observation/effects.ts';
import { creationIn } from './observation/existence.ts';
import { subjectOf } from './observation/facts.ts';
import {
  givesLimit,
  isGone,
  isLimited,
  type KnownResource,
  keyOf,
  withAllBelow,
} from './observation/known-resource.ts';
import type { Observation } from './observation/observation.ts';
import type { AttributeMap } from './observation/parsed-request.ts';
import { type TypeName, typeFacts } from './observation/resource-types.ts';
import type { SeenExchange } from './observation/seen-exchange.ts';
import { touchedBy } from './observation/touched.ts';

/** notificationEventType (TS-0004 6.3.4.2.19), with the requirements of the notification and of its content. */
interface Event {
  readonly type: number;
  readonly requirement: string;
  readonly shows: string;
}

const event = (type: number, requirement: string, shows: string): Event => ({
  ...{ type, shows: `std.notification.${shows}` },
  requirement: `std.notification.event.${requirement}`,
});
const updated = event(1, 'update', 'all-attributes-by-default');
const deleted = event(2, 'delete', 'deleted-resource');
const childCreated = event(3, 'create-child', 'created-child');
const childDeleted = event(4, 'delete-child', 'deleted-child');

/** An expected notification; `perhaps`: it may come or not. */
interface Due extends Pick<Event, 'type' | 'requirement'> {
  readonly subscription: KnownResource;
  readonly perhaps: boolean;
  readonly content: readonly NotificationDemand[];
}

interface Watch {
  readonly urls: readonly string[];
  readonly types: readonly unknown[];
}

/** The part of a resource that a notification shows. */
interface ChangedResource extends Pick<KnownResource, 'names'> {
  readonly type: TypeName;
  readonly labels?: unknown;
}

/**
 * The notifications that exchanges must cause (TS-0001 9.6.8, TS-0004 7.5.1.2.2): their number and content, which no rule about a
 * single exchange can check. `isCounted`: subscriptions that can be counted separately, even once others are unknown.
 */
export class ExpectedNotifications {
  /** By target URL. */
  readonly #due = new Map<string, Due[]>();
  /** URLs for which nothing can be said until the next `take`. */
  readonly #uncertain = new Set<string>();
  /** Targets and event types of subscriptions as created, by resource key. */
  readonly #watches = new Map<string, Watch>();
  readonly #formerUrls = new Set<string>();
  readonly #isCounted: ((attributes: AttributeMap) => boolean) | undefined;
  #isLost = false;
  constructor(isCounted?: (attributes: AttributeMap) => boolean) {
    this.#isCounted = isCounted;
  }

  /** URLs at which a notification is certainly due; `all`: every URL ever named. */
  expecting(all: boolean): string[] {
    const urls = [...this.#due].filter(([, due]) => all || due.some(({ perhaps }) => !perhaps));
    return this.#isLost ? [] : urls.map(([url]) => url);
  }

  /** Called before the observation takes note of the exchange. */
  note(seen: SeenExchange, observation: Observation): void {
    const { request, exchange, resource } = seen;
    if (!mayChange(exchange)) return;
    const isClear = isSuccess(exchange) && request.group === undefined && (resource !== undefined || seen.atBase);
    const creation = isClear && request.operation === 'create' && creationIn(seen, observation);
    const known = isClear ? resource : undefined;
    if (creation) this.#created(seen, creation, observation);
    else if (known && this.#isUpdate(seen)) this.#updated(seen, known);
    else if (known && request.operation === 'delete') this.#deleted(seen, known, observation);
    // The effect on group members is unknown, which matters only if something is watched.
    else if (request.group === undefined || this.#due.size > 0) this.#loseOf(seen, observation);
  }

  /** Time passed: resources may have expired. */
  passTime(): void {
    for (const url of this.#due.keys()) this.#uncertain.add(url);
  }

  /** Something with unknown effects happened. */
  lose(): void {
    if (this.#isCounted === undefined) this.#isLost = true;
    this.passTime();
    this.#watches.clear();
  }

  /** The same, limited to the resources it can have touched; an updated subscription is no longer followed. */
  #loseOf(seen: SeenExchange, observation: Observation): void {
    if (this.#isCounted === undefined) this.lose();
    const touched = touchedBy(seen, observation);
    this.loseAt(...touched);
    if (['create', 'delete'].includes(seen.request.operation)) return;
    for (const { names } of touched) this.#watches.delete(keyOf(names));
  }

  /** Whether the events of the subscription are certain. */
  readonly isCertain = ({ names }: KnownResource): boolean => this.#watches.has(keyOf(names));

  #created(seen: SeenExchange, { name, type }: NewResource, observation: Observation): void {
    const { request, resource, before, isUnclear } = seen;
    const names = [...(resource?.names ?? []), name];
    if (type === 'subscription') this.#watch(names, request.attributes, resource);
    if (isUnclear || (before !== undefined && !isGone(before))) this.loseAt(...touchedBy(seen, observation));
    if (resource === undefined) return;
    this.#happened(childCreated, resource, { names, type });
    if (type === 'content-instance') this.#changed(resource);
  }

  /** Subscriptions directly below the CSE base are not followed. */
  #watch(names: readonly string[], attributes: AttributeMap = {}, parent?: KnownResource): void {
    this.#watches.delete(keyOf(names));
    if (parent === undefined && this.#isCounted === undefined) this.lose();
    if (parent === undefined || this.#isCounted?.(attributes) === false) return;
    this.#watches.set(keyOf(names), watchedBy(attributes));
    for (const url of watchedBy(attributes).urls) getOrAdd(this.#due, url, () => []);
  }

  /** Changed counters may count as an update of the container; a limit may remove other instances. */
  #changed(container: KnownResource): void {
    this.#happened(updated, container, container, { perhaps: true });
    if (isLimited(container)) this.loseAt(container);
  }

  /** An update with certain effects, which leaves what the subscription asks for as it is. */
  #isUpdate({ request, exchange, resource }: SeenExchange): boolean {
    const { operation, attributes, type, virtual } = request;
    const isOther = attributes === undefined || 'nu' in attributes || 'enc' in attributes || type !== resource?.type;
    const isUncertain = isOther || virtual !== undefined || (type === 'subscription' && this.#isCounted !== undefined);
    return operation === 'update' && !isUncertain && exchange.answer?.status === 200;
  }

  #updated({ request: { attributes = {} } }: SeenExchange, resource: KnownResource): void {
    const now = new Map([...resource.requested, ...resource.updated]);
    const isKnown = Object.keys(attributes).every((name) => !now.has(name) || now.get(name) !== undefined);
    const isEqual = (name: string) => isDeepStrictEqual(now.get(name) ?? null, attributes[name]);
    const isChanged = !Object.keys(attributes).every(isEqual);
    const labels = attributes.lbl ?? ('lbl' in attributes ? undefined : now.get('lbl'));
    this.#happened(updated, resource, { ...resource, labels }, { perhaps: !isKnown || !isChanged });
    if (givesLimit(attributes)) this.loseAt(resource);
  }

  #deleted(seen: SeenExchange, addressed: KnownResource, observation: Observation): void {
    const { request } = seen;
    const gone = request.virtual === undefined ? addressed : subjectOf(seen)?.resource;
    if (!isDeletion(seen, 'onem2m')) this.#loseOf(seen, observation);
    else if (gone === undefined) this.loseAt(addressed);
    else this.#gone(gone, observation.all);
  }

  #gone(gone: KnownResource, all: readonly KnownResource[]): void {
    const { parent, type } = gone;
    if (parent !== undefined) this.#happened(childDeleted, parent, gone);
    if (parent !== undefined && type === 'content-instance') this.#changed(parent);
    this.#happened(deleted, gone, gone);
    const [, ...below] = withAllBelow(gone).filter((one) => !isGone(one));
    // A group may be updated when a possible member of it is deleted.
    for (const one of all) if (one.type === 'group') this.#happened(updated, one, one, { perhaps: true });
    for (const one of below) {
      this.#happened(deleted, one, one, { requirement: 'std.notification.event.delete.with-parent' });
      // The standard does not say whether this event occurs if the parent is deleted, too.
      if (one.parent !== undefined) this.#happened(childDeleted, one.parent, one, { perhaps: true });
    }
    for (const one of [gone, ...below]) for (const url of this.#watchedBy(one).urls) this.#formerUrls.add(url);
  }

  /** The notifications of their subscriptions are unknown until the next `take`. */
  loseAt(...some: readonly KnownResource[]): void {
    for (const { children } of some)
      for (const url of children.flatMap((one) => this.#watchedBy(one).urls)) this.#uncertain.add(url);
  }

  #watchedBy({ type, names }: KnownResource): Watch {
    return (type === 'subscription' && this.#watches.get(keyOf(names))) || { urls: [], types: [] };
  }

  #happened(
    { type, shows, ...event }: Event,
    at: KnownResource,
    { names, ...about }: ChangedResource,
    { requirement = event.requirement, perhaps = about.type === 'subscription' }: Partial<Due> = {},
  ): void {
    const labels = type === updated.type && Array.isArray(about.labels) ? about.labels : [];
    const attributes = { rn: String(names.at(-1)), ...(labels.length > 0 && { lbl: { equals: labels } }) };
    const root = about.type === 'flex-container' ? {} : { root: typeFacts[about.type].root };
    for (const subscription of at.children) {
      const { urls, types } = this.#watchedBy(subscription);
      if (isGone(subscription) || !types.includes(type) || keyOf(subscription.names) === keyOf(names)) continue;
      const content = [
        hasEvent,
        { requirement, check: { notification: { event: type } } },
        { requirement: shows, check: { notification: { ...root, attributes } } },
        named(subscription),
      ];
      const due = { type, subscription, requirement, perhaps: perhaps || subscription.state !== 'there', content };
      for (const url of urls) getOrAdd(this.#due, url, () => []).push(due);
    }
  }

  /** The demands on an inbox since the last `take`; none if unknown. Content is checked only if exactly one notification was due. */
  take(url: string, all: readonly KnownResource[]): NotificationDemand[] {
    const due = this.#due.get(url) ?? [];
    this.#due.set(url, []);
    if (this.#uncertain.delete(url) || this.#isLost) return [];
    const certain = due.filter(({ perhaps }) => !perhaps);
    const least = certain.length;
    const notifications = due.length === least ? least : { between: [least, due.length] as [number, number] };
    const content = due.length === 1 ? certain.flatMap((one) => one.content) : [];
    const isWatched = all.some((one) => !isGone(one) && this.#watchedBy(one).urls.includes(url));
    const none = `std.notification.${!isWatched && this.#formerUrls.has(url) ? 'after-deletion' : 'event.others'}`;
    return [{ requirement: countRequirement(certain) ?? none, check: { notifications } }, ...content];
  }
}

/** The requirement about their number. */
function countRequirement([one, ...more]: readonly Due[]): string | undefined {
  if (one === undefined) return undefined;
  if (more.some(({ subscription }) => subscription !== one.subscription)) return 'std.notification.each-subscription';
  return more.every(({ type }) => type === one.type) ? one.requirement : 'std.notification.event.several';
}

const named = ({ names, returned }: KnownResource) =>
  namesSubscription([names.join('/'), returned.get('ri')].filter((one) => typeof one === 'string'));

/** Without criteria updates are notified (TS-0004 7.5.1.2.2, step 1.0). */
function watchedBy({ nu, enc }: AttributeMap): Watch {
  const { net = [updated.type] } = (enc ?? {}) as { readonly net?: readonly unknown[] };
  return { urls: Array.isArray(nu) ? nu.map(String) : [], types: net };
}
