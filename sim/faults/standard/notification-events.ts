/** What the standard says of the events that are notified, broken. */

import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from '../vocabulary/asked.ts';
import { handling } from '../vocabulary/blocks.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { isObject } from '../vocabulary/representations.ts';
import {
  afterwards,
  arrivalOf,
  creating,
  type Exchange,
  exchangeOf,
  removing,
} from '../vocabulary/standard-exchanges.ts';
import {
  ofEvent,
  ofSubscriptions,
  retelling,
  rootOf,
  subscribingOtherwise,
  subscriptionsTo,
  tellBesides,
  type WhenSent,
  withCriteria,
  withEvent,
  withholding,
} from '../vocabulary/standard-notifications.ts';

const everything = [1, 2, 3, 4];

/** A notification of the deletion of something whose parent has gone, too. */
const goneWithParent: WhenSent = ({ signal }, { tree }) => {
  const { rep } = isObject(signal.nev) ? signal.nev : {};
  const [shown] = isObject(rep) ? Object.values(rep) : [];
  const { pi } = isObject(shown) ? shown : {};
  return typeof pi === 'string' && tree.byId(pi.slice(pi.lastIndexOf('/') + 1)) === undefined;
};

/** What is told besides after requests that succeed. */
function tellingMore(tell: (exchange: Exchange) => void): Wrap {
  return afterwards((exchange) => {
    if (isSuccess(exchange.answer)) tell(exchange);
    return undefined;
  });
}

function tellOfChild(watched: Resource | undefined, { shown, core }: Exchange): void {
  if (shown === undefined) return;
  const rep = { [shown.root]: shown.attributes };
  for (const subscription of subscriptionsTo(watched, 3)) tellBesides(core, subscription, { nev: { net: 3, rep } });
}

/** Subscriptions that were deleted are told of what is created beside where they were. */
const afterDeletion: Wrap = (service, core) => {
  const gone = new Map<Resource, Resource[]>();
  return handling(async (request) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const answer = await service.handle(request);
    const { addressed } = arrival;
    if (!isSuccess(answer) || addressed === undefined) return answer;
    const { parent } = addressed;
    if (removing('m2m:sub')(arrival) && parent) gone.set(parent, [...(gone.get(parent) ?? []), addressed]);
    if (creating()(arrival)) tellTheGone(gone.get(addressed) ?? [], exchangeOf(arrival, answer));
    return answer;
  })(service, core);
};

function tellTheGone(subscriptions: readonly Resource[], { core, shown }: Exchange): void {
  const rep = shown && { [shown.root]: shown.attributes };
  for (const subscription of subscriptions) tellBesides(core, subscription, { nev: { net: 3, rep } });
}

/** An instance that makes room is told of as a deleted child. */
const makingRoom: Wrap = handling(async (request, service, core) => {
  const arrival = arrivalOf(request, core, (one) => service.handle(one));
  const { addressed } = arrival;
  const [oldest] = [...(addressed?.instances ?? [])];
  const answer = await service.handle(request);
  if (creating()(arrival) && oldest !== undefined && !core.tree.holds(oldest)) {
    for (const subscription of subscriptionsTo(addressed, 4)) {
      tellBesides(core, subscription, { nev: { net: 4, rep: { [oldest.type.root]: { rn: oldest.name } } } });
    }
  }
  return answer;
});

/** The new attributes of an update of a subscription without this one. */
const overlooking =
  (name: string) =>
  (attributes: Attributes, method: string): Attributes | undefined =>
    method === 'PUT' && attributes[name] !== undefined
      ? Object.fromEntries(Object.entries(attributes).filter(([one]) => one !== name))
      : undefined;

/** Whether a subscription is another one than the first of those of its resource. */
const notFirst = (_attributes: unknown, subscription: Resource) =>
  subscription.parent?.subscriptions?.[0] !== subscription;

const firstTarget = (attributes: Attributes) => (Array.isArray(attributes.nu) ? attributes.nu[0] : undefined);

/** Whether a notification goes to another target than the first of its subscription. */
const toAnotherTarget: WhenSent = (notification, core: Cse) =>
  ofSubscriptions((attributes) => firstTarget(attributes) !== notification.url)(notification, core);

export const notificationEvents: readonly Fault[] = [
  breaking(
    'std.notification.event.update',
    'application-entity-silent',
    'The update of an application entity is not notified.',
    withholding((one, core) => ofEvent(1)(one, core) && rootOf(one.signal) === 'm2m:ae'),
  ),
  breaking(
    'std.notification.event.default',
    'children-too',
    'A subscription without enc is told of created and deleted children, too.',
    {
      wrap: subscribingOtherwise((attributes, method) =>
        method === 'POST' && attributes.enc === undefined ? { ...attributes, enc: { net: [1, 3, 4] } } : undefined,
      ),
    },
  ),
  breaking(
    'std.notification.event.default-with-conditions',
    'children-too',
    'A subscription whose enc names attributes and no event is told of created children, too.',
    subscribingOtherwise((attributes) =>
      withCriteria(attributes, (enc) =>
        enc.net === undefined && enc.atr !== undefined ? { ...enc, net: [1, 3] } : undefined,
      ),
    ),
  ),
  breaking(
    'std.notification.event.delete',
    'as-child',
    'The deletion of a resource by itself is notified to its own subscriptions as event 4.',
    retelling(
      (one, core) => ofEvent(2)(one, core) && !goneWithParent(one, core),
      (signal) => withEvent(signal, { net: 4 }),
    ),
  ),
  breaking(
    'std.notification.event.delete.with-parent',
    'silent',
    'The deletion of a resource with its parent is not notified.',
    withholding((one, core) => ofEvent(2)(one, core) && goneWithParent(one, core)),
  ),
  breaking(
    'std.notification.event.create-child',
    'as-update',
    'The creation of a child is notified as event 1.',
    retelling(ofEvent(3), (signal) => withEvent(signal, { net: 1 })),
  ),
  breaking(
    'std.notification.event.direct-children',
    'grandchildren-too',
    'What is created below a child is notified as if it were a child.',
    tellingMore((exchange) => {
      if (creating()(exchange)) tellOfChild(exchange.addressed?.parent, exchange);
    }),
  ),
  breaking(
    'std.notification.event.delete-child',
    'as-deletion',
    'The deletion of a child is notified as event 2.',
    retelling(ofEvent(4), (signal) => withEvent(signal, { net: 2 })),
  ),
  breaking(
    'std.notification.event.nothing-to-retrieve',
    'silent',
    'That there are no content instances to be retrieved is not notified.',
    withholding(ofEvent(5)),
  ),
  breaking(
    'std.notification.event.something-to-retrieve',
    'each-retrieve',
    'Subscriptions to event 5 are told of each request for the children of a container that has content instances.',
    tellingMore(({ about, addressed, core }) => {
      if (about.method !== 'GET' || about.query.get('rcn') !== '4' || addressed?.instances?.last === undefined) return;
      const rep = { [addressed.type.root]: { rn: addressed.name } };
      for (const one of subscriptionsTo(addressed, 5)) tellBesides(core, one, { nev: { net: 5, rep } });
    }),
  ),
  breaking(
    'std.notification.event.others',
    'all-with-deletion',
    'A subscription to the deletion of a resource alone is told of updates and of children, too.',
    subscribingOtherwise((attributes) =>
      withCriteria(attributes, ({ net, ...others }) =>
        Array.isArray(net) && net.length === 1 && net[0] === 2 ? { ...others, net: everything } : undefined,
      ),
    ),
  ),
  breaking(
    'std.notification.event.several',
    'first-only',
    'Of several events only the first that is listed is notified.',
    subscribingOtherwise((attributes) =>
      withCriteria(attributes, ({ net, ...others }) =>
        Array.isArray(net) && net.length > 1 ? { ...others, net: net.slice(0, 1) } : undefined,
      ),
    ),
  ),
  breaking(
    'std.notification.each-target',
    'first-only',
    'Events are notified to the first target of a subscription only, where that is a URL.',
    withholding(
      (one, core) =>
        toAnotherTarget(one, core) &&
        ofSubscriptions((attributes) => Array.isArray(attributes.nu) && attributes.nu.length > 1)(one, core),
    ),
  ),
  breaking(
    'std.notification.each-subscription',
    'first-only',
    'Only the first subscription of a resource is notified.',
    withholding(ofSubscriptions(notFirst)),
  ),
  breaking(
    'std.notification.after-deletion',
    'children-still-told',
    'The first target of a subscription that was deleted is still told of children that are created.',
    afterDeletion,
  ),
  breaking(
    'std.notification.target-changed',
    'former-target',
    'An update of nu is answered as done, and the former targets are notified.',
    subscribingOtherwise(overlooking('nu')),
  ),
  breaking(
    'std.notification.criteria-changed',
    'former-criteria',
    'An update of enc is answered as done, and the former criteria hold.',
    subscribingOtherwise(overlooking('enc')),
  ),
  breaking(
    'std.notification.refused-request',
    'attempt-told',
    'That a child was to be created is notified where it was refused, too.',
    afterwards((exchange) => {
      const { answer, addressed, core, given } = exchange;
      if (isSuccess(answer) || given === undefined || !creating()(exchange)) return undefined;
      const rep = { [given.root]: given.attributes };
      for (const one of subscriptionsTo(addressed, 3)) tellBesides(core, one, { nev: { net: 3, rep } });
      return undefined;
    }),
  ),
  breaking(
    'std.notification.event.delete-child.by-itself',
    'told',
    'The oldest content instance that makes room for a new one is notified as a deleted child.',
    makingRoom,
  ),
  breaking(
    'std.notification.event.missing-data',
    'another-event',
    'Missing data is notified as event 5.',
    retelling(ofEvent(8), (signal) => withEvent(signal, { net: 5 })),
  ),
  breaking(
    'std.notification.event.missing-data.counted',
    'without-times',
    'A report of missing data does not tell the times.',
    retelling(ofEvent(8), (signal) => showingMissing(signal, ({ mdlt: _times, ...others }) => others)),
  ),
  breaking(
    'std.notification.event.missing-data.each',
    'once',
    'Missing data is reported once for a subscription, when there is enough of it.',
    withholding((one, core) => ofEvent(8)(one, core) && ofSubscriptions(isBeyond(one.signal))(one, core)),
  ),
  breaking(
    'std.notification.event.missing-data.not-enough',
    'two-enough',
    'A subscription that asks for more than two missing pieces of data is told when two are missing.',
    subscribingOtherwise((attributes) =>
      withCriteria(attributes, (enc) =>
        isObject(enc.md) && Number(enc.md.num) > 2 ? { ...enc, md: { ...enc.md, num: 2 } } : undefined,
      ),
    ),
  ),
];

function missingIn({ nev }: Attributes): Attributes {
  const { rep } = isObject(nev) ? nev : {};
  const report = isObject(rep) ? rep['m2m:tsn'] : undefined;
  return isObject(report) ? report : {};
}

function showingMissing(signal: Attributes, change: (report: Attributes) => Attributes): Attributes {
  return withEvent(signal, { rep: { 'm2m:tsn': change(missingIn(signal)) } });
}

/** Whether more is reported as missing than the subscription asks for. */
const isBeyond =
  (signal: Attributes) =>
  ({ enc }: Attributes): boolean => {
    const { md } = isObject(enc) ? enc : {};
    return isObject(md) && Number(missingIn(signal).mdc) > Number(md.num);
  };
