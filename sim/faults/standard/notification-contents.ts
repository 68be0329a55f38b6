/** What the standard says of the content and the headers of notifications, broken. */

import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { changingNotifications, subscriptionOf, telling, tellingAll } from '../vocabulary/changed-notifications.ts';
import { isObject } from '../vocabulary/representations.ts';
import { without } from '../vocabulary/standard-exchanges.ts';
import {
  isEvent,
  ofEvent,
  ofSubscriptions,
  relabelling,
  retelling,
  rootOf,
  showingElse,
  subscribingOtherwise,
  type WhenSent,
} from '../vocabulary/standard-notifications.ts';

const toUpdates = ({ enc }: Attributes) => isObject(enc) && JSON.stringify(enc) === '{"net":[1]}';

const withContentType = (nct: number) => ofSubscriptions((attributes) => attributes.nct === nct);
const toCreated = ofSubscriptions(({ cr }) => cr !== undefined);

/** Told to a target that says something of the serialisation. */
const indicated: WhenSent = (notification, core) =>
  ofSubscriptions(({ nu }) => Array.isArray(nu) && nu.includes(`${notification.url}?ct=json`))(notification, core);

const contents: readonly Fault[] = [
  breaking(
    'std.notification.root',
    'list',
    'What is said of a container that was created stands in a list.',
    retelling(
      (notification, core) => ofEvent(3)(notification, core) && rootOf(notification.signal) === 'm2m:cnt',
      (signal) => ({ ...signal, nev: [signal.nev] }),
    ),
  ),
  breaking(
    'std.notification.all-attributes',
    'modified-only',
    'A subscription to updates alone that asks for content type 1 gets content type 2.',
    subscribingOtherwise((attributes) =>
      attributes.nct === 1 && toUpdates(attributes) ? { ...attributes, nct: 2 } : undefined,
    ),
  ),
  breaking(
    'std.notification.all-attributes-by-default',
    'modified-only',
    'A subscription to updates alone without nct gets content type 2.',
    subscribingOtherwise((attributes, method) =>
      method === 'POST' && attributes.nct === undefined && toUpdates(attributes)
        ? { ...attributes, nct: 2 }
        : undefined,
    ),
  ),
  breaking(
    'std.notification.modified-attributes',
    'labels-left-out',
    'With content type 2 changed labels are not notified.',
    retelling(withContentType(2), (signal) => showingElse(signal, (attributes) => without(attributes, 'lbl'))),
  ),
  breaking(
    'std.notification.modified-attributes.nothing-else',
    'whole',
    'With content type 2 the whole resource is notified.',
    {
      wrapSender: changingNotifications((one, core) =>
        withContentType(2)(one, core) ? tellingAll(one, core) : one.request,
      ),
    },
  ),
  breaking('std.notification.identifier', 'whole', 'With content type 3 the whole resource is notified.', {
    wrapSender: changingNotifications((one, core) =>
      withContentType(3)(one, core) ? tellingAll(one, core) : one.request,
    ),
  }),
  breaking(
    'std.notification.created-child',
    'without-identifier',
    'Event 3 shows the child without its identifier.',
    retelling(ofEvent(3), (signal) => showingElse(signal, (attributes) => without(attributes, 'ri'))),
  ),
  breaking(
    'std.notification.deleted-child',
    'without-content',
    'Event 4 shows the child without its content.',
    retelling(ofEvent(4), (signal) => showingElse(signal, (attributes) => without(attributes, 'con'))),
  ),
  breaking(
    'std.notification.deleted-resource',
    'name-only',
    'Event 2 shows nothing of the resource but its name.',
    retelling(ofEvent(2), (signal) => showingElse(signal, ({ rn }) => ({ rn }))),
  ),
  breaking(
    'std.notification.subscription',
    'resource-instead',
    'A notification of a created child names the subscribed resource in sur.',
    {
      wrapSender: changingNotifications((notification, core) => {
        const { signal, request } = notification;
        if (!ofEvent(3)(notification, core)) return request;
        const { parent } = subscriptionOf(signal, core) ?? {};
        const sur = parent && `/${core.configuration.cseId}/${parent.id}`;
        return sur === undefined ? request : telling(request, { ...signal, sur });
      }),
    },
  ),
  {
    ...breaking(
      'std.notification.creator',
      'host',
      'A notification that names a creator names the CSE.',
      retelling(toCreated, (signal, core) => ({ ...signal, cr: `/${core.configuration.cseId}` })),
    ),
    also: ['std.notification.creator.told'],
  },
  breaking(
    'std.notification.creator.told',
    'left-out',
    'A notification does not name the creator of its subscription.',
    retelling(toCreated, (signal) => without(signal, 'cr')),
  ),
  breaking(
    'std.notification.serialization-indicator',
    'sent',
    'A target that ends with ?ct=json is notified there with ct=json as part of its path.',
    {
      wrapSender: changingNotifications((one, core) =>
        indicated(one, core) ? { ...one.request, target: `${one.request.target}?ct=json` } : one.request,
      ),
    },
  ),
];

const ofEvents = (when: (attributes: Attributes) => boolean) => ofSubscriptions((attributes) => when(attributes));

const headers: readonly Fault[] = [
  breaking(
    'std.notification.header.originator',
    'anonymous',
    'The originator of a notification is called anonymous.',
    relabelling(isEvent, { 'X-M2M-Origin': 'anonymous' }),
  ),
  breaking(
    'std.notification.header.identifier',
    'missing',
    'A notification of an event has no X-M2M-RI.',
    relabelling(isEvent, { 'X-M2M-RI': undefined }),
  ),
  breaking(
    'std.notification.header.release',
    'unknown',
    'A notification of an event tells release 9.',
    relabelling(isEvent, { 'X-M2M-RVI': '9' }),
  ),
  breaking(
    'std.notification.header.content-type',
    'xml',
    'A notification of an event in JSON calls its content type application/vnd.onem2m-ntfy+xml.',
    relabelling(isEvent, { 'Content-Type': 'application/vnd.onem2m-ntfy+xml' }),
  ),
  breaking(
    'std.notification.header.event-category',
    'missing',
    'Notifications do not have the event category that their subscription asks for.',
    relabelling(
      ofEvents(({ nec }) => nec !== undefined),
      { 'X-M2M-EC': undefined },
    ),
  ),
  breaking(
    'std.notification.header.latest',
    'best-effort',
    'With latestNotify the event category of notifications is 3.',
    relabelling(
      ofEvents(({ ln }) => ln === true),
      { 'X-M2M-EC': '3' },
    ),
  ),
];

export const notificationContents: readonly Fault[] = [...contents, ...headers];
