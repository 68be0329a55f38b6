/** Mobius: subscriptions and notifications. */
import type { Cse } from '../../core/cse.ts';
import { criteriaOf, eventTypesOf } from '../../core/notifications/notification-criteria.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { OutgoingAnswer, OutgoingRequest, Sender } from '../../dialects/outgoing-message.ts';
import { resourceAt } from '../../faults/asked.ts';
import type { Quirk } from '../product.ts';
import { isMembers, jsonOf, type Members } from '../representations.ts';

const notes = 'tinyiot-mobius.md 2, subscriptions and notifications';

/** What a target is taken to have answered to what was not sent. */
const taken: OutgoingAnswer = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };

type WrapSender = NonNullable<Quirk['wrapSender']>;

/** What is sent in place of a notification; undefined for nothing at all. */
type Change = (signal: Members, request: OutgoingRequest, core: Cse) => OutgoingRequest | undefined;

/** Looks at each notification before it is sent. */
function changingNotifications(change: Change): WrapSender {
  return (sender, core): Sender => ({
    async send(baseUrl, request, signal) {
      const body = jsonOf(request.body ?? '');
      const told = isMembers(body) ? body['m2m:sgn'] : undefined;
      const sent = isMembers(told) ? change(told, request, core) : request;
      return sent === undefined ? taken : sender.send(baseUrl, sent, signal);
    },
  });
}

function telling(request: OutgoingRequest, signal: Members): OutgoingRequest {
  return { ...request, body: JSON.stringify({ 'm2m:sgn': signal }) };
}

function subscriptionOf({ sur }: Members, core: Cse): Resource | undefined {
  return typeof sur === 'string' ? resourceAt(sur, core) : undefined;
}

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
    wrapSender: changingNotifications((signal, request, core) => {
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
    wrapSender: changingNotifications((signal, request, core) => {
      const subscription = subscriptionOf(signal, core);
      const event = signal.nev;
      if (subscription?.values.nct !== 2 || subscription.parent === undefined || !isMembers(event)) return request;
      if (event.net !== 1) return request;
      const rep = JSON.parse(representation(subscription.parent, core.configuration.dialect).text);
      return telling(request, { ...signal, nev: { ...event, rep } });
    }),
  },
  {
    id: 'notification.identifier.never',
    says: 'With nct 3 nothing is notified.',
    notes: `${notes}: nct=3 is never sent`,
    violates: { onem2m: ['std.notification.identifier'] },
    wrapSender: changingNotifications((signal, request) => {
      const rep = isMembers(signal.nev) ? signal.nev.rep : undefined;
      return isMembers(rep) && 'm2m:uri' in rep ? undefined : request;
    }),
  },
  {
    id: 'notification.first-other-ends-all',
    says: 'The first subscription that does not want an event keeps it from all that come after it.',
    notes: `${notes}: the first subscription whose net does not match stops the chain`,
    violates: { onem2m: ['std.notification.each-subscription'] },
    wrapSender: changingNotifications((signal, request, core) => {
      const subscription = subscriptionOf(signal, core);
      const event = isMembers(signal.nev) ? signal.nev.net : undefined;
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
    wrapSender: changingNotifications((signal, request) => (signal.vrq === true ? undefined : request)),
  },
  {
    id: 'subscription-deletion.never',
    says: 'Nobody is told that a subscription was deleted.',
    notes: `${notes}: no deletion notification when a SUB is deleted`,
    violates: {
      onem2m: ['std.subscription-deletion.notified', 'std.subscription-deletion.with-parent'],
    },
    wrapSender: changingNotifications((signal, request) => (signal.sud === true ? undefined : request)),
  },
];
