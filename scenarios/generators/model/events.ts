/** Which notifications the events of a sequence have to lead to (TS-0001 9.6.8, TS-0004 7.5.1.2.2). */
import type { Site } from '../../engine/running/installation.ts';
import { referenceTo, writtenAddress } from './address.ts';
import { type Expected, expected, literally } from './expected.ts';
import type { Model } from './model.ts';
import { childrenOf, descendantsOf, kindFacts, labelsOf, type ModelResource } from './resource.ts';

/** Where notifications go to. */
export const inboxNames = ['watcher', 'other'] as const;
export type InboxName = (typeof inboxNames)[number];

/** How a scenario calls it; each CSE of a pair has inboxes of its own. */
export function inboxOf(name: InboxName, site: Site = 'gateway'): string {
  return site === 'gateway' ? name : `far${name}`;
}

/** notificationEventType (TS-0004 6.3.4.2.19), the requirement that it is notified, and that of what is shown then. */
interface Event {
  readonly type: number;
  readonly requirement: string;
  readonly shows: string;
}

function event(type: number, requirement: string, shows: string): Event {
  return { type, requirement, shows };
}

const updated = event(1, 'std.notification.event.update', 'std.notification.all-attributes-by-default');
const deleted = event(2, 'std.notification.event.delete', 'std.notification.deleted-resource');
const childCreated = event(3, 'std.notification.event.create-child', 'std.notification.created-child');
const childDeleted = event(4, 'std.notification.event.delete-child', 'std.notification.deleted-child');

/** A notification that has to come. */
interface Due {
  readonly type: number;
  readonly subscription: ModelResource;
  /** Whether the standard leaves open that it is sent. */
  readonly perhaps: boolean;
  readonly requirement: string;
  /** What is in it, as far as that is known by now. */
  readonly content: () => readonly Expected[];
}

/** The inboxes that a subscription notifies; it says so by places that stand for them until it is sent. */
function targetsOf({ held }: ModelResource): InboxName[] {
  const { nu } = held as { readonly nu: readonly string[] };
  return inboxNames.filter((name) => nu.some((url) => url.endsWith(`/${name}`)));
}

export class Events {
  readonly #model: Model;
  readonly #due = new Map<InboxName, Due[]>(inboxNames.map((name) => [name, []]));
  /** Inboxes of which it cannot be told any more what comes. */
  readonly #unsure = new Set<InboxName>();
  /** Inboxes that any subscription ever named, and those of deleted subscriptions. */
  readonly #named = new Set<InboxName>();
  readonly #left = new Set<InboxName>();

  constructor(model: Model) {
    this.#model = model;
  }

  /** Inboxes in which something has to have come, or may have. */
  concerned(): InboxName[] {
    return inboxNames.filter((name) => this.#due.get(name)?.some(({ perhaps }) => !perhaps));
  }

  /** Those that were ever spoken of. */
  named(): InboxName[] {
    return inboxNames.filter((name) => this.#named.has(name));
  }

  updated(resource: ModelResource): void {
    this.#happened(updated, resource, resource);
  }

  created(resource: ModelResource): void {
    const { kind, parent } = resource;
    if (kind === 'subscription') for (const name of targetsOf(resource)) this.#named.add(name);
    if (parent === undefined) return;
    this.#happened(childCreated, parent, resource);
    if (kind === 'content instance') this.perhapsUpdated(parent);
  }

  /** Counters that change with the children, which may count as an update. */
  perhapsUpdated(resource: ModelResource): void {
    this.#happened(updated, resource, resource, { perhaps: true });
  }

  /** To be told before the model forgets it. */
  deleted(resource: ModelResource): void {
    const { kind, parent } = resource;
    if (parent !== undefined) this.#happened(childDeleted, parent, resource);
    if (parent !== undefined && kind === 'content instance') this.perhapsUpdated(parent);
    this.#happened(deleted, resource, resource);
    const below = descendantsOf(resource);
    for (const one of [resource, ...below]) this.#leaveGroups(one);
    for (const one of below) {
      this.#happened(deleted, one, one, { requirement: 'std.notification.event.delete.with-parent' });
      // Whether it is a child that was deleted where its parent goes as well, nobody says.
      if (one.parent !== undefined) this.#happened(childDeleted, one.parent, one, { perhaps: true });
    }
    for (const one of childrenOf({ children: [resource, ...below] }, 'subscription'))
      for (const name of targetsOf(one)) this.#left.add(name);
  }

  /** A group may be updated when a member of it goes, or what may be one. */
  #leaveGroups(member: ModelResource): void {
    const reference = referenceTo(member, this.#model);
    for (const group of this.#model.all('group')) {
      const { mid } = group.held;
      if (!Array.isArray(mid) || mid.includes(reference)) this.perhapsUpdated(group);
    }
  }

  /** It cannot be told what became of a request. */
  lose(): void {
    for (const name of inboxNames) this.#unsure.add(name);
  }

  #happened(
    { type, shows, ...event }: Event,
    at: ModelResource,
    what: ModelResource,
    { requirement = event.requirement, perhaps = what.kind === 'subscription' }: Partial<Due> = {},
  ): void {
    const labels = (type === updated.type && labelsOf(what)) || [];
    const attributes = { rn: what.name, ...(labels.length > 0 && { lbl: { equals: [...labels] } }) };
    for (const subscription of childrenOf(at, 'subscription')) {
      if (subscription === what || !typesOf(subscription).includes(type)) continue;
      const content = () => [
        hasEvent,
        expected(requirement, { notification: { event: type } }),
        expected(shows, { notification: { root: kindFacts[what.kind].root, attributes } }),
        this.#naming(subscription),
      ];
      const due = { type, subscription, requirement, perhaps, content };
      for (const name of targetsOf(subscription)) this.#due.get(name)?.push(due);
    }
  }

  /** The subscription is named by its address, or by its identifier. */
  #naming(subscription: ModelResource): Expected {
    const address = writtenAddress(subscription, this.#model);
    const { ri } = subscription.shown;
    const matching = ri === undefined ? address : `${address}|(^|/)${literally(ri)}$`;
    return expected('std.notification.subscription', { notification: { subscription: { matching } } });
  }

  /** What has to have come to an inbox since it was asked last; nothing where that cannot be told. What is in it is looked at where it is certain which one came. */
  take(name: InboxName): Expected[] {
    const due = this.#due.get(name) ?? [];
    this.#due.set(name, []);
    const certain = due.filter(({ perhaps }) => !perhaps);
    if (this.#unsure.delete(name)) return [];
    const least = certain.length;
    const notifications = due.length === least ? least : { between: [least, due.length] as [number, number] };
    const content = due.length === 1 ? certain.flatMap((one) => one.content()) : [];
    return [expected(this.#requirementOf(certain, name), { notifications }), ...content];
  }

  #requirementOf([one, ...more]: readonly Due[], name: InboxName): string {
    if (one === undefined) return this.#nothingDue(name);
    if (more.length === 0) return one.requirement;
    if (more.some(({ subscription }) => subscription !== one.subscription)) return 'std.notification.each-subscription';
    return more.every(({ type }) => type === one.type) ? one.requirement : 'std.notification.event.several';
  }

  #nothingDue(name: InboxName): string {
    const living = this.#model.all('subscription').some((one) => targetsOf(one).includes(name));
    return !living && this.#left.has(name) ? 'std.notification.after-deletion' : 'std.notification.event.others';
  }
}

const hasEvent = expected('std.notification.root', {
  notification: { body: { fields: { 'm2m:sgn': { fields: { nev: { is: 'object' } } } } } },
});

/** Without criteria updates are notified (TS-0004 7.5.1.2.2, step 1.0). */
function typesOf({ held }: ModelResource): readonly number[] {
  const { enc } = held as { readonly enc?: { readonly net: readonly number[] } };
  return enc?.net ?? [updated.type];
}
