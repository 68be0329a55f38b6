/**
 * Notifications of subscriptions created through a group (TS-0004, clauses 7.4.14.2.3 and 7.4.14.2.5): members send them
 * to the fan-out point, which forwards them to `nfu`, several in one.
 */

import { getOrInsert } from '../memoize.ts';
import { millisecondsOf } from '../numbers.ts';
import { canonical } from '../originator.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';
import type { Services } from '../services.ts';
import { CseError, statuses, unlessRefused } from '../status.ts';

/** Milliseconds that the first notification waits for others without a `nar` of the group. */
const defaultDelay = 5000;

interface Gathered {
  readonly notifications: unknown[];
  cancel: () => void;
}

/** What each group is to forward, by target. Only targets that a subscription has named get anything. */
const gathering = new WeakMap<Resource, Map<string, Gathered>>();

/** The request as members get it: a subscription with `nfu` notifies the fan-out point. */
export function throughGroup(
  group: Resource,
  request: RequestPrimitive,
  { configuration }: Services,
): RequestPrimitive {
  const content = request.content as { 'm2m:sub'?: Readonly<Record<string, unknown>> } | undefined;
  const { notificationURI: _long, ...subscription } = content?.['m2m:sub'] ?? {};
  const target = subscription.nfu ?? subscription.notificationForwardingURI;
  if (request.operation !== 'create' || typeof target !== 'string') return request;
  const known = getOrInsert(gathering, group, () => new Map());
  getOrInsert(known, target, () => ({ notifications: [], cancel: () => {} }));
  const nu = [`/${configuration.cseId}/${group.id}/fopt`];
  return { ...request, content: { 'm2m:sub': { ...subscription, nu } } };
}

/** Takes a notification that the group gathers; undefined for one meant for its members. */
export function gather(group: Resource, request: RequestPrimitive, services: Services): ResponsePrimitive | undefined {
  const known = gathering.get(group);
  if (request.operation !== 'notify' || known === undefined) return undefined;
  // Only CSEs notify of subscriptions.
  const from = canonical(request.from ?? '', services.configuration);
  if (!from.startsWith('/')) return undefined;
  const notifications = notificationsIn(request.content);
  const verifies = notifications.some(({ vrq }) => vrq === true);
  if (!verifies && !notifications.every(({ nfu }) => typeof nfu === 'string' && known.has(nfu))) return undefined;
  if (!hasMemberAt(group, from, services)) {
    throw new CseError('ORIGINATOR_HAS_NO_PRIVILEGE', `${from} hosts no member of ${group.path}.`);
  }
  if (verifies) return { status: statuses.OK };
  for (const notification of notifications) add(group, String(notification.nfu), notification, services);
  return { status: statuses.OK };
}

/** Only members' notifications are gathered (TS-0004, clause 7.5.1.2.6); this CSE notifies for those that it hosts. */
function hasMemberAt({ values }: Resource, cse: string, { configuration }: Services): boolean {
  if (cse === `/${configuration.cseId}`) return true;
  return (values.mid as readonly string[]).some((member) => canonical(member, configuration).startsWith(`${cse}/`));
}

type Notification = Readonly<Record<string, unknown>>;

function notificationsIn(content: unknown): readonly Notification[] {
  const body = (content ?? {}) as { 'm2m:sgn'?: Notification; 'm2m:agn'?: { 'm2m:sgn'?: readonly Notification[] } };
  const one = body['m2m:sgn'];
  return one === undefined ? (body['m2m:agn']?.['m2m:sgn'] ?? [{}]) : [one];
}

function add(group: Resource, target: string, notification: Notification, services: Services): void {
  const gathered = gathering.get(group)?.get(target);
  if (gathered === undefined) return;
  const { num, dur } = (group.values.nar ?? {}) as { num?: number; dur?: string };
  gathered.notifications.push(notification);
  if (gathered.notifications.length >= (num ?? (group.values.mid as readonly string[]).length)) {
    gathered.cancel();
    void forward(target, gathered, services);
  } else if (gathered.notifications.length === 1) {
    const delay = (dur === undefined ? undefined : millisecondsOf(dur)) ?? defaultDelay;
    gathered.cancel = services.ports.clock.schedule(delay, () => forward(target, gathered, services));
  }
}

/** An unreachable target misses them: the members have had their answers. */
async function forward(target: string, gathered: Gathered, { notifier, ports }: Services): Promise<void> {
  const content = { 'm2m:agn': { 'm2m:sgn': gathered.notifications.splice(0) } };
  await unlessRefused(notifier.forward(target, content), ports);
}
