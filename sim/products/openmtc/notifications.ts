/** OpenMTC: subscriptions and notifications. */
import { handling } from '../../faults/vocabulary/blocks.ts';
import { refused } from '../../faults/vocabulary/changed-answers.ts';
import {
  changingNotifications,
  isPointOfAccess,
  telling,
  tellingAll,
} from '../../faults/vocabulary/changed-notifications.ts';
import { describedIn, eachResource, isObject } from '../../faults/vocabulary/representations.ts';
import type { Quirk } from '../product.ts';
import { complete } from './attributes.ts';

const notes = (section: string) => `openmtc.md 6: ${section}`;

export const notifications: readonly Quirk[] = [
  {
    id: 'notification.everything-named',
    says: 'A notification names everything that it could tell, as null; the kind of the event is null, too.',
    notes: notes('Notification; nev.net is always null'),
    violates: {
      onem2m: [
        'std.notification.event.update',
        'std.notification.event.delete',
        'std.notification.event.delete.with-parent',
        'std.notification.event.create-child',
        'std.notification.event.delete-child',
      ],
    },
    wrapSender: changingNotifications(({ signal, request }) => {
      const { nev } = signal;
      const none = { cr: null, nfu: null, sud: null, vrq: null };
      const event = isObject(nev) ? { om: null, ...nev, rep: eachResource(nev.rep, complete), net: null } : null;
      return telling(request, { ...none, ...signal, nev: event });
    }),
  },
  {
    id: 'notification.whole-always',
    says: 'Whatever nct says, the whole resource is notified.',
    notes: notes('nct 2/3 still send the full representation'),
    violates: {
      onem2m: ['std.notification.modified-attributes.nothing-else', 'std.notification.identifier'],
    },
    wrapSender: changingNotifications(tellingAll),
  },
  {
    id: 'notification.path.slash',
    says: 'The path of a notification is that of the point of access and a slash.',
    notes: notes('POST / (path = path of the AE poa + "/")'),
    violates: {},
    because: 'A slash more or less is none of the requirements.',
    wrapSender: changingNotifications(({ request }) =>
      request.target.endsWith('/') ? request : { ...request, target: `${request.target}/` },
    ),
  },
  {
    id: 'notification.url.never',
    says: 'A URL as the target of a subscription is taken, and nothing is ever sent to it.',
    notes: notes('http:// URL in nu: accepted at create but never delivered'),
    violates: {},
    because: 'A target that delivers to points of access alone is judged by what it sends there, and a note says so.',
    wrapSender: changingNotifications(({ request, url }, core) => (isPointOfAccess(url, core) ? request : undefined)),
  },
  {
    id: 'verification.never',
    says: 'No target is asked whether it takes notifications.',
    notes: notes('No verification request is ever sent'),
    violates: {},
    because: 'A CSE may leave it out.',
    wrapSender: changingNotifications(({ signal, request }) => (signal.vrq === true ? undefined : request)),
  },
  {
    id: 'subscription.events.four',
    says: 'Event types above 4, batches and rate limits are refused with 400 and 4000.',
    notes: notes('net 1..4 only (5+ -> 400); bn/rl with content -> 400'),
    violates: {},
    because: 'What is refused cannot be judged; it claims neither batches nor rate limits.',
    wrap: handling((request, service) => {
      const shown = describedIn(request.body);
      if (shown?.root !== 'm2m:sub') return service.handle(request);
      const { enc, bn, rl } = shown.attributes;
      const net = isObject(enc) ? (enc.net ?? enc.notificationEventType) : undefined;
      const strange = [net].flat().some((one) => typeof one === 'number' && (one < 1 || one > 4));
      const limited = [bn, rl].some((one) => isObject(one) && Object.keys(one).length > 0);
      return strange || limited ? refused(400, 4000, request) : service.handle(request);
    }),
  },
];
