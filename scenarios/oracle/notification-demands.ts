/** Demands on notifications, by what is known of their subscription: as scenarios demand them at inboxes. */

import type { LoadedCheck } from '../engine/files/load.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Expectation, Matcher } from '../engine/grammar/grammar-check.ts';
import type { NotificationView } from '../engine/judging/answer.ts';
import type { CseNames } from '../engine/messages/address.ts';
import { type KnownResource, namedByEnding, nameOf } from './observation/known-resource.ts';
import { typeFacts } from './observation/resource-types.ts';

type NotificationCheck = NonNullable<Expectation['notification']>;
export type NotificationDemand = Pick<LoadedCheck, 'requirement' | 'check'>;

/** A notification of an event, with its subscription and the resource concerned. */
interface KnownEvent {
  readonly view: NotificationView;
  readonly subscription: KnownResource;
  readonly resource: KnownResource | undefined;
  /** Whether it must contain all attributes. */
  readonly isFull: boolean;
}

/** Demands on any request (TS-0004 7.2.1.1), as in the scenarios about headers. */
const ofAny = {
  'header.originator': ({ cseId }: CseNames) => header('X-M2M-Origin', { matching: `^(//[^/]+)?/${escaped(cseId)}$` }),
  'header.identifier': () => header('X-M2M-RI', { matching: '.' }),
  'header.release': () => header('X-M2M-RVI', { 'when present': { matching: '^(1|2|2a|3|4|5)$' } }),
  'header.content-type': () =>
    header('Content-Type', { matching: '^application/(vnd\\.onem2m-(ntfy|res)\\+)?(json|cbor)(;|$)' }),
};

const eventBody: NotificationCheck = { body: { fields: { 'm2m:sgn': { fields: { nev: { is: 'object' } } } } } };

/** Demands on events of subscriptions that were not updated (TS-0004 7.5.1.2.2). Undefined if unknown. */
const ofEvents: Readonly<Record<string, (known: KnownEvent) => NotificationCheck | undefined>> = {
  root: () => eventBody,
  'event.others': listed((criteria) => criteria.net !== undefined),
  'event.default': listed((criteria, { requested }) => criteria.net === undefined && !requested.has('enc')),
  'event.default-with-conditions': listed(
    (criteria, { requested }) => criteria.net === undefined && requested.has('enc'),
  ),
  'event.direct-children': ({ view, subscription: { parent }, resource }) => {
    const isKnown = view.event === 3 && parent?.returned.has('ri') === true && resource?.wrong.has('pi') !== true;
    return isKnown ? { attributes: { pi: { 'when present': String(parent.returned.get('ri')) } } } : undefined;
  },
  creator: ({ subscription: { createdBy } }) =>
    createdBy.originator === undefined
      ? undefined
      : { creator: { 'when present': { matching: `(^|/)${escaped(createdBy.originator)}$` } } },
  'creator.told': ({ subscription: { returned } }) =>
    typeof returned.get('cr') === 'string' ? { creator: { is: 'present' } } : undefined,
  'header.event-category': ({ subscription: { requested } }) =>
    requested.has('nec') && !requested.has('ln') ? header('X-M2M-EC', String(requested.get('nec'))) : undefined,
  'header.latest': ({ subscription: { requested } }) =>
    requested.get('ln') === true ? header('X-M2M-EC', '4') : undefined,
  'after-deletion': ({ view, subscription: { goneAt = Number.POSITIVE_INFINITY }, resource }) =>
    view.event === 3 && resource !== undefined && resource.begunAt > goneAt ? { event: { is: 'absent' } } : undefined,
  'all-attributes-by-default': showsFull(1, ({ requested }) => !requested.has('nct')),
  'all-attributes': showsFull(1, ({ requested }) => requested.has('nct')),
  'deleted-resource': showsFull(2),
  'created-child': showsFull(3),
  'deleted-child': showsFull(4),
  'modified-attributes.nothing-else': ({ view, subscription: { requested } }) =>
    view.event === 1 && requested.get('nct') === 2
      ? { attributes: { rn: { is: 'absent' }, ri: { is: 'absent' }, ct: { is: 'absent' } } }
      : undefined,
  identifier: ({ subscription: { requested } }) => (requested.get('nct') === 3 ? { root: 'm2m:uri' } : undefined),
};

const standard = (name: string): string => `std.notification.${name}`;
/** The only one in the documented dialect. */
const delivered = 'events.notifications';

/** About numbers of notifications: see `ExpectedNotifications`. */
const counted = ['update', 'delete', 'create-child', 'delete-child', 'delete.with-parent', 'several'];

/** All requirements on notifications, apart from the rules of bindings. */
export const notificationRequirements = (dialect: Dialect): readonly string[] =>
  dialect === 'documented'
    ? [delivered]
    : [
        ...[...Object.keys(ofAny), ...Object.keys(ofEvents), 'subscription', 'each-subscription'].map(standard),
        ...counted.map((name) => standard(`event.${name}`)),
      ];

/** `isFull`: the binding itself says the type of the content. */
export const demandsOfAny = (names: CseNames, isFull: boolean): NotificationDemand[] =>
  Object.entries(ofAny)
    .filter(([name]) => !isFull || name !== 'header.content-type')
    .map(([name, demand]) => demandOf(name, demand(names)));

/** For an event of a known subscription. */
export function demandsOfEvent(view: NotificationView, subscription: KnownResource): NotificationDemand[] {
  const { requested, isConcurrent, state, parent } = subscription;
  // It is unknown from when on an update affects notifications.
  const isUpdated = ['enc', 'nct', 'nec', 'ln'].some((one) => requested.has(one) && requested.get(one) === undefined);
  if (isConcurrent || state === 'doubtful' || isUpdated) return [];
  if (view.event === undefined) return [hasEvent];
  const isOfChild = view.event === 3 || view.event === 4;
  const name = view.attributes?.rn;
  const among = parent?.children.filter((one) => one.names.at(-1) === name && !one.isConcurrent) ?? [];
  const resource = isOfChild ? (among.length === 1 ? among[0] : undefined) : parent;
  const isFull = (requested.get('nct') ?? 1) === 1;
  return Object.entries(ofEvents).flatMap(([name, demand]) => {
    const notification = demand({ view, subscription, resource, isFull });
    return notification === undefined ? [] : [demandOf(name, notification)];
  });
}

/** The specification does not show when notifications are sent, only that the created resource is in them. */
export function demandsAsDocumented(view: NotificationView, resources: readonly KnownResource[]): NotificationDemand[] {
  const about = resources.filter(({ returned }) => returned.has('ri') && returned.get('ri') === view.attributes?.ri);
  const [one] = about;
  if (view.kind !== 'event' || one === undefined || about.length > 1) return [];
  return [{ requirement: delivered, check: { notification: representationOf(one) } }];
}

const demandOf = (name: string, notification: NotificationCheck): NotificationDemand => ({
  requirement: standard(name),
  check: { notification },
});

export const hasEvent = demandOf('root', eventBody);
export const namesSubscription = (endings: readonly string[]): NotificationDemand =>
  demandOf('subscription', { subscription: namedByEnding(endings) });

const header = (name: string, matcher: Matcher): NotificationCheck => ({ header: { [name]: matcher } });

/** Only listed event types, for subscriptions with these criteria. */
function listed(isAbout: (criteria: Readonly<Record<string, unknown>>, subscription: KnownResource) => boolean) {
  return ({ subscription }: KnownEvent): NotificationCheck | undefined => {
    const criteria = (subscription.requested.get('enc') ?? {}) as Readonly<Record<string, unknown>>;
    const { net = [1], om } = criteria;
    if (!Array.isArray(net) || om !== undefined || !isAbout(criteria, subscription)) return undefined;
    return { event: { 'one of': net.map(Number) } };
  };
}

function showsFull(event: number, isAbout: (subscription: KnownResource) => boolean = () => true) {
  return ({ view, subscription, resource, isFull }: KnownEvent): NotificationCheck | undefined => {
    const isShown = view.event === event && isFull && isAbout(subscription);
    return isShown ? resource && representationOf(resource) : undefined;
  };
}

/** Attributes that identify a resource, and that no update changes. */
function representationOf({ names, type, returned, requested }: KnownResource): NotificationCheck {
  const content = type === 'content-instance' ? requested.get('con') : undefined;
  const root = type === 'flex-container' ? {} : { root: typeFacts[type].root };
  const ri = returned.get('ri');
  const own = { ...(typeof ri === 'string' && { ri }), ...(typeof content === 'string' && { con: content }) };
  return { ...root, attributes: { rn: nameOf({ names }), ...own } };
}

/** For use in a regular expression. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
