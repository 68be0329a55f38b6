/** What a notification has to be like, by what is known of its subscription: as scenarios demand it of those that come to inboxes. */

import type { LoadedCheck } from '../engine/files/load.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Expectation, Matcher } from '../engine/grammar/grammar-check.ts';
import type { NotificationView } from '../engine/judging/answer.ts';
import type { CseNames } from '../engine/messages/address.ts';
import { type Held, nameOf } from './observation/held.ts';
import { typeFacts } from './observation/resource-types.ts';

type Wanted = NonNullable<Expectation['notification']>;
export type NotificationDemand = Pick<LoadedCheck, 'requirement' | 'check'>;

/** A notification of an event with what is known of its subscription, and of the resource that the event is about. */
interface Known {
  readonly view: NotificationView;
  readonly subscription: Held;
  readonly resource: Held | undefined;
  /** Whether the whole of the resource is to be shown. */
  readonly isWhole: boolean;
}

/** Of any request (TS-0004 7.2.1.1): as the scenarios about their headers have it. */
const ofAny = {
  'header.originator': ({ cseId }: CseNames) => header('X-M2M-Origin', { matching: `^(//[^/]+)?/${escaped(cseId)}$` }),
  'header.identifier': () => header('X-M2M-RI', { matching: '.' }),
  'header.release': () => header('X-M2M-RVI', { 'when present': { matching: '^(1|2|2a|3|4|5)$' } }),
  'header.content-type': () =>
    header('Content-Type', { matching: '^application/(vnd\\.onem2m-(ntfy|res)\\+)?(json|cbor)(;|$)' }),
};

const isEvent: Wanted = { body: { fields: { 'm2m:sgn': { fields: { nev: { is: 'object' } } } } } };

/** Of an event, where the subscription is as it was created (TS-0004 7.5.1.2.2). Undefined where nobody can tell. */
const ofEvents: Readonly<Record<string, (known: Known) => Wanted | undefined>> = {
  root: () => isEvent,
  'event.others': listed((criteria) => criteria.net !== undefined),
  'event.default': listed((criteria, { given }) => criteria.net === undefined && !given.has('enc')),
  'event.default-with-conditions': listed((criteria, { given }) => criteria.net === undefined && given.has('enc')),
  'event.direct-children': ({ view, subscription: { parent }, resource }) => {
    const isKnown = view.event === 3 && parent?.shown.has('ri') === true && resource?.wrong.has('pi') !== true;
    return isKnown ? { attributes: { pi: { 'when present': String(parent.shown.get('ri')) } } } : undefined;
  },
  creator: ({ subscription: { createdBy } }) =>
    createdBy.originator === undefined
      ? undefined
      : { creator: { 'when present': { matching: `(^|/)${escaped(createdBy.originator)}$` } } },
  'creator.told': ({ subscription: { shown } }) =>
    typeof shown.get('cr') === 'string' ? { creator: { is: 'present' } } : undefined,
  'header.event-category': ({ subscription: { given } }) =>
    given.has('nec') && !given.has('ln') ? header('X-M2M-EC', String(given.get('nec'))) : undefined,
  'header.latest': ({ subscription: { given } }) => (given.get('ln') === true ? header('X-M2M-EC', '4') : undefined),
  'after-deletion': ({ view, subscription: { goneAt = Number.POSITIVE_INFINITY }, resource }) =>
    view.event === 3 && resource !== undefined && resource.begunAt > goneAt ? { event: { is: 'absent' } } : undefined,
  'all-attributes-by-default': shownWhole(1, ({ given }) => !given.has('nct')),
  'all-attributes': shownWhole(1, ({ given }) => given.has('nct')),
  'deleted-resource': shownWhole(2),
  'created-child': shownWhole(3),
  'deleted-child': shownWhole(4),
  'modified-attributes.nothing-else': ({ view, subscription: { given } }) =>
    view.event === 1 && given.get('nct') === 2
      ? { attributes: { rn: { is: 'absent' }, ri: { is: 'absent' }, ct: { is: 'absent' } } }
      : undefined,
  identifier: ({ subscription: { given } }) => (given.get('nct') === 3 ? { root: 'm2m:uri' } : undefined),
};

const standard = (name: string): string => `std.notification.${name}`;
export const naming = standard('subscription');
/** What the documented dialect says of all this. */
const delivered = 'events.notifications';

/** By how many come: see `Notices`. */
const counted = ['update', 'delete', 'create-child', 'delete-child', 'delete.with-parent', 'several'];

/** All that is judged of notifications, beside the rules of bindings. */
export const judgedOfNotifications = (dialect: Dialect): readonly string[] =>
  dialect === 'documented'
    ? [delivered]
    : [
        ...[...Object.keys(ofAny), ...Object.keys(ofEvents), 'subscription', 'each-subscription'].map(standard),
        ...counted.map((name) => standard(`event.${name}`)),
      ];

/** `isWhole`: the binding says itself of which type the content is. */
export const demandsOfAny = (names: CseNames, isWhole: boolean): NotificationDemand[] =>
  Object.entries(ofAny)
    .filter(([name]) => !isWhole || name !== 'header.content-type')
    .map(([name, wanted]) => demandOf(name, wanted(names)));

/** Of an event of which the subscription is known. */
export function demandsOfEvent(view: NotificationView, subscription: Held): NotificationDemand[] {
  const { given, isTwin, state, parent } = subscription;
  // Of what was updated nobody can tell from when on that counts for what is sent.
  const isAsCreated = ['enc', 'nct', 'nec', 'ln'].every((name) => !given.has(name) || given.get(name) !== undefined);
  if (isTwin || state === 'doubtful' || !isAsCreated) return [];
  if (view.event === undefined) return [demandOf('root', isEvent)];
  const isOfChild = view.event === 3 || view.event === 4;
  const name = view.attributes?.rn;
  const among = parent?.children.filter((one) => one.names.at(-1) === name && !one.isTwin) ?? [];
  const resource = isOfChild ? (among.length === 1 ? among[0] : undefined) : parent;
  const isWhole = (given.get('nct') ?? 1) === 1;
  return Object.entries(ofEvents).flatMap(([name, wanted]) => {
    const notification = wanted({ view, subscription, resource, isWhole });
    return notification === undefined ? [] : [demandOf(name, notification)];
  });
}

/** Who sends what is not shown; that what was created is in it can be told. */
export function demandsAsDocumented(view: NotificationView, held: readonly Held[]): NotificationDemand[] {
  const about = held.filter(({ shown }) => shown.has('ri') && shown.get('ri') === view.attributes?.ri);
  const [one] = about;
  if (view.kind !== 'event' || one === undefined || about.length > 1) return [];
  return [{ requirement: delivered, check: { notification: shown(one) } }];
}

const demandOf = (name: string, notification: Wanted): NotificationDemand => ({
  requirement: standard(name),
  check: { notification },
});

const header = (name: string, matcher: Matcher): Wanted => ({ header: { [name]: matcher } });

/** Which events are listed, where these are the criteria. */
function listed(isAbout: (criteria: Readonly<Record<string, unknown>>, subscription: Held) => boolean) {
  return ({ subscription }: Known): Wanted | undefined => {
    const criteria = (subscription.given.get('enc') ?? {}) as Readonly<Record<string, unknown>>;
    const { net = [1], om } = criteria;
    if (!Array.isArray(net) || om !== undefined || !isAbout(criteria, subscription)) return undefined;
    return { event: { 'one of': net.map(Number) } };
  };
}

function shownWhole(event: number, isAbout: (subscription: Held) => boolean = () => true) {
  return ({ view, subscription, resource, isWhole }: Known): Wanted | undefined =>
    view.event === event && isWhole && resource !== undefined && isAbout(subscription) ? shown(resource) : undefined;
}

/** What tells a resource from others, and what no update changes. */
function shown({ names, type, shown, given }: Held): Wanted {
  const content = type === 'content-instance' ? given.get('con') : undefined;
  const root = type === 'flex-container' ? {} : { root: typeFacts[type].root };
  return {
    ...root,
    attributes: {
      rn: nameOf({ names }),
      ...(typeof shown.get('ri') === 'string' && { ri: String(shown.get('ri')) }),
      ...(typeof content === 'string' && { con: content }),
    },
  };
}

/** As a part of a regular expression. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
