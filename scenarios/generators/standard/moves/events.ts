/** Which notifications the events of a sequence have to lead to (TS-0001 9.6.8, TS-0004 7.5.1.2.2). */
import type { Matcher } from '../../../engine/grammar/grammar-matcher.ts';
import { referenceTo, writtenAddress } from '../../model/address.ts';
import { type Expected, expected, literally } from '../../model/expected.ts';
import type { Model } from '../../model/model.ts';
import { childrenOf, descendantsOf, kindFacts, labelsOf, type Resource } from '../../model/resource.ts';
import { type InboxName, inboxNames } from '../../moves/move.ts';

/** notificationEventType, TS-0004 6.3.4.2.19. */
const events = { updated: 1, deleted: 2, childCreated: 3, childDeleted: 4 } as const;
type Event = (typeof events)[keyof typeof events];

interface Due {
  readonly event: Event;
  readonly subscription: Resource;
  /** Address of the subscription, as it was when the event happened. */
  readonly address: string;
  /** Whether the standard leaves open that it is sent. */
  readonly perhaps: boolean;
  readonly requirement: string;
  readonly shows: { readonly requirement: string; readonly root: string; readonly attributes: Record<string, Matcher> };
}

const counted: Readonly<Record<Event, string>> = {
  1: 'std.notification.event.update',
  2: 'std.notification.event.delete',
  3: 'std.notification.event.create-child',
  4: 'std.notification.event.delete-child',
};

const shown: Readonly<Record<Event, string>> = {
  1: 'std.notification.all-attributes-by-default',
  2: 'std.notification.deleted-resource',
  3: 'std.notification.created-child',
  4: 'std.notification.deleted-child',
};

/** The inboxes that a subscription notifies; it says so by places that stand for them until it is sent. */
function targetsOf({ held }: Resource): InboxName[] {
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

  subscribed(subscription: Resource): void {
    for (const name of targetsOf(subscription)) this.#named.add(name);
  }

  updated(resource: Resource): void {
    this.#happened(events.updated, resource, resource);
  }

  created(resource: Resource): void {
    if (resource.parent === undefined) return;
    this.#happened(events.childCreated, resource.parent, resource);
    if (resource.kind === 'content instance') this.perhapsUpdated(resource.parent);
  }

  /** Counters that change with the children, which may count as an update. */
  perhapsUpdated(resource: Resource): void {
    this.#happened(events.updated, resource, resource, counted[events.updated], true);
  }

  /** To be told before the model forgets it. */
  deleted(resource: Resource): void {
    if (resource.parent !== undefined) this.#happened(events.childDeleted, resource.parent, resource);
    if (resource.parent !== undefined && resource.kind === 'content instance') this.perhapsUpdated(resource.parent);
    this.#happened(events.deleted, resource, resource);
    for (const one of [resource, ...descendantsOf(resource)]) this.#leaveGroups(one);
    for (const below of descendantsOf(resource)) {
      this.#happened(events.deleted, below, below, 'std.notification.event.delete.with-parent');
      // Whether it is a child that was deleted where its parent goes as well, nobody says.
      if (below.parent !== undefined) this.#happened(events.childDeleted, below.parent, below, undefined, true);
      this.#leave(below);
    }
    this.#leave(resource);
  }

  /** A group may be updated when a member of it goes, or what may be one. */
  #leaveGroups(member: Resource): void {
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

  #leave(resource: Resource): void {
    if (resource.kind === 'subscription') for (const name of targetsOf(resource)) this.#left.add(name);
  }

  #happened(event: Event, at: Resource, what: Resource, requirement = counted[event], perhaps = false): void {
    for (const subscription of childrenOf(at, 'subscription')) {
      if (subscription === what || !eventsOf(subscription).includes(event)) continue;
      const open = perhaps || what.kind === 'subscription';
      for (const name of targetsOf(subscription)) {
        this.#due.get(name)?.push({
          ...{ event, subscription, requirement, perhaps: open },
          address: writtenAddress(subscription, this.#model),
          shows: { requirement: shown[event], ...representation(what, event) },
        });
      }
    }
  }

  /** What has to have come to an inbox since it was asked last; nothing where that cannot be told. */
  take(name: InboxName): Expected[] {
    const due = this.#due.get(name) ?? [];
    this.#due.set(name, []);
    const unsure = this.#unsure.delete(name);
    const certain = due.filter(({ perhaps }) => !perhaps);
    if (unsure) return [];
    const least = certain.length;
    const notifications = due.length === least ? least : { between: [least, due.length] as [number, number] };
    return [expected(this.#requirementOf(certain, name), { notifications }), ...this.#contentOf(due)];
  }

  #requirementOf(certain: readonly Due[], name: InboxName): string {
    const [one, ...more] = certain;
    if (one === undefined) return this.#nothingDue(name);
    if (more.length === 0) return one.requirement;
    if (more.some(({ subscription }) => subscription !== one.subscription)) return 'std.notification.each-subscription';
    return more.every(({ event }) => event === one.event) ? one.requirement : 'std.notification.event.several';
  }

  #nothingDue(name: InboxName): string {
    const living = this.#model.all('subscription').some((one) => targetsOf(one).includes(name));
    return !living && this.#left.has(name) ? 'std.notification.after-deletion' : 'std.notification.event.others';
  }

  /** What is in it is looked at where it is certain which one came. */
  #contentOf(due: readonly Due[]): Expected[] {
    const [one] = due;
    if (one === undefined || due.length > 1 || one.perhaps) return [];
    const { event, shows, address, requirement, subscription } = one;
    const { ri } = subscription.shown;
    const matching = ri === undefined ? address : `${address}|(^|/)${literally(ri)}$`;
    return [
      expected('std.notification.root', {
        notification: { body: { fields: { 'm2m:sgn': { fields: { nev: { is: 'object' } } } } } },
      }),
      expected(requirement, { notification: { event } }),
      expected(shows.requirement, { notification: { root: shows.root, attributes: shows.attributes } }),
      expected('std.notification.subscription', { notification: { subscription: { matching } } }),
    ];
  }
}

/** Without criteria updates are notified (TS-0004 7.5.1.2.2, step 1.0). */
function eventsOf({ held }: Resource): readonly number[] {
  const { enc } = held as { readonly enc?: { readonly net: readonly number[] } };
  return enc === undefined ? [events.updated] : enc.net;
}

function representation(what: Resource, event: Event): Pick<Due['shows'], 'root' | 'attributes'> {
  const labels = (event === events.updated && labelsOf(what)) || [];
  const attributes = { rn: what.name, ...(labels.length > 0 && { lbl: { equals: [...labels] } }) };
  return { root: kindFacts[what.kind].root, attributes };
}
