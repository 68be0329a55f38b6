/** Mobius: subscriptions and notifications. */
import { criteriaOf, eventTypesOf } from '../../core/notifications/notification-criteria.ts';
import type { Resource } from '../../core/resource.ts';
import {
  changingNotifications,
  subscriptionOf,
  telling,
  tellingAll,
} from '../../faults/vocabulary/changed-notifications.ts';
import { isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';

const notes = 'tinyiot-mobius.md 2, subscriptions and notifications';

/** Whether every subscription before this one wants the event as well. */
function isReached(subscription: Resource, event: unknown): boolean {
  const all = subscription.parent?.subscriptions ?? [];
  return all
    .slice(0, all.indexOf(subscription))
    .every((earlier) => eventTypesOf(criteriaOf(earlier)).some((type) => type === event));
}

export const notifications: readonly Quirk[] = [
  {
    id: 'notification.form',
    says: 'A notification tells the release in m2m:sgn and not in its header, and the path of names of its subscription.',
    notes: `${notes}: Mobius notification`,
    violates: {},
    because: 'A notification may leave the header out, and a path names its subscription as well as an identifier.',
    wrapSender: changingNotifications(({ signal, request }, core) => {
      const { 'X-M2M-RVI': _release, ...headers } = request.headers;
      const sur = subscriptionOf(signal, core)?.path ?? signal.sur;
      return telling({ ...request, headers }, { ...signal, sur, rvi: '2a' });
    }),
  },
  {
    id: 'notification.modified-attributes.whole',
    says: 'With nct 2 the whole resource is notified.',
    notes: `${notes}: nct=2 is sent as nct=1`,
    violates: { onem2m: ['std.notification.modified-attributes.nothing-else'] },
    wrapSender: changingNotifications((notification, core) => {
      const subscription = subscriptionOf(notification.signal, core);
      return subscription?.values.nct === 2 ? tellingAll(notification, core) : notification.request;
    }),
  },
  {
    id: 'notification.identifier.never',
    says: 'With nct 3 nothing is notified.',
    notes: `${notes}: nct=3 is never sent`,
    violates: { onem2m: ['std.notification.identifier'] },
    wrapSender: changingNotifications(({ signal, request }) => {
      const rep = isObject(signal.nev) ? signal.nev.rep : undefined;
      return isObject(rep) && 'm2m:uri' in rep ? undefined : request;
    }),
  },
  {
    id: 'notification.first-other-ends-all',
    says: 'The first subscription that does not want an event keeps it from all that come after it.',
    notes: `${notes}: the first subscription whose net does not match stops the chain`,
    violates: { onem2m: ['std.notification.each-subscription'] },
    wrapSender: changingNotifications(({ signal, request }, core) => {
      const subscription = subscriptionOf(signal, core);
      const event = isObject(signal.nev) ? signal.nev.net : undefined;
      if (subscription === undefined || event === undefined) return request;
      return isReached(subscription, event) ? request : undefined;
    }),
  },
  {
    id: 'verification.never',
    says: 'No target is asked whether it takes notifications.',
    notes: `${notes}: never sends a verification request`,
    violates: {},
    because: 'A CSE may leave it out.',
    wrapSender: changingNotifications(({ signal, request }) => (signal.vrq === true ? undefined : request)),
  },
  {
    id: 'subscription-deletion.never',
    says: 'Nobody is told that a subscription was deleted.',
    notes: `${notes}: no deletion notification when a SUB is deleted`,
    violates: {
      onem2m: ['std.subscription-deletion.notified', 'std.subscription-deletion.with-parent'],
    },
    wrapSender: changingNotifications(({ signal, request }) => (signal.sud === true ? undefined : request)),
  },
];
