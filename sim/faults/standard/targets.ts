/** What the standard says of the targets of subscriptions, broken. */

import type { Cse } from '../../core/cse.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from '../vocabulary/asked.ts';
import { breakingSending } from '../vocabulary/breaking.ts';
import { changingNotifications, isPointOfAccess, subscriptionOf } from '../vocabulary/changed-notifications.ts';
import { isObject } from '../vocabulary/representations.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

const isEvent = ({ nev }: Attributes) => isObject(nev);

/** Events of subscriptions that name a target in this form are not sent. */
const unsentTo = (isMeant: (target: string, core: Cse) => boolean): WrapSender =>
  changingNotifications(({ signal, request }, core) => {
    const { nu } = (isEvent(signal) ? subscriptionOf(signal, core)?.values : undefined) ?? {};
    const isUnsent = Array.isArray(nu) && nu.some((target) => typeof target === 'string' && isMeant(target, core));
    return isUnsent ? undefined : request;
  });

export const targets: readonly Fault[] = [
  breakingSending(
    'events.points-of-access',
    'unsent',
    'No event is sent to an application entity by its point of access.',
    changingNotifications(({ signal, request, url }, core) =>
      isEvent(signal) && isPointOfAccess(url, core) ? undefined : request,
    ),
  ),
  breakingSending(
    'std.target.url',
    'unsent',
    'No event is sent to a URL in nu at which an application entity has its point of access, too.',
    unsentTo((target, core) => target.startsWith('http') && isPointOfAccess(target, core)),
  ),
  breakingSending(
    'std.target.cse-relative',
    'unsent',
    'No event is sent of a subscription with a target that is a CSE-relative identifier.',
    unsentTo((target) => /^[^/:]+$/.test(target)),
  ),
  breakingSending(
    'std.target.sp-relative',
    'unsent',
    'No event is sent of a subscription with a target that is the identifier of an application entity of this CSE with that of the CSE before it.',
    unsentTo((target, { configuration }) => target.startsWith(`/${configuration.cseId}/`)),
  ),
  breakingSending(
    'std.target.absolute',
    'unsent',
    'No event is sent of a subscription with a target that is an absolute identifier.',
    unsentTo((target) => target.startsWith('//')),
  ),
  breakingSending(
    'std.target.structured',
    'unsent',
    'No event is sent of a subscription with a target that is a path of names from the CSE base down.',
    unsentTo((target, { configuration }) => target.startsWith(`${configuration.base}/`)),
  ),
  breakingSending(
    'std.target.other-cse',
    'unsent',
    'No event is sent of a subscription with a target at another CSE.',
    unsentTo((target, { configuration }) => /^\/[^/]/.test(target) && !target.startsWith(`/${configuration.cseId}/`)),
  ),
];
