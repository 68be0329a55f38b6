import { defined } from '../engine/basics/defined.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import { type NotificationView, viewOf, viewOfNotification } from '../engine/judging/answer.ts';
import type { ProxyEntry } from './proxy.ts';
import type { ProxiedNotification } from './relay.ts';
import type { RecordedFrom } from './step-of.ts';

/** A notification of an event. */
export interface EventNotification extends NotificationView {
  /** URL of the application. */
  readonly url: string;
}

/** How long a replay waits for recorded notifications. */
const within = '10s';

/** Requirements by event (TS-0001 9.6.8, eventType). */
const ofEvents: ReadonlyMap<unknown, string> = new Map([
  [1, 'std.notification.event.update'],
  [2, 'std.notification.event.delete'],
  [3, 'std.notification.event.create-child'],
  [4, 'std.notification.event.delete-child'],
]);

/** Notified events by the request that caused each: the one with the same resource, else the last one before. */
export function behindRequests(
  all: readonly ProxiedNotification[],
  passed: readonly ProxyEntry[],
): ReadonlyMap<number, readonly EventNotification[]> {
  const placed = new Map<number, EventNotification[]>();
  for (const one of all) {
    const event = { ...viewOfNotification(one), url: one.url };
    if (event.kind !== 'event') continue;
    const index = indexOfCause(event, one.at, passed);
    getOrAdd(placed, index, () => []).push(event);
  }
  return placed;
}

function indexOfCause({ attributes }: EventNotification, at: number, passed: readonly ProxyEntry[]): number {
  const before = passed.filter((one) => one.at <= at);
  const showsSame = (one: ProxyEntry) =>
    attributes?.ri !== undefined && one.request.method !== 'GET' && viewOf(one).attributes?.ri === attributes.ri;
  const cause = before.findLast(showsSame) ?? before.at(-1);
  return cause === undefined ? 0 : passed.indexOf(cause);
}

/** A step that checks the notifications at an inbox between two requests. */
export function lookFor(inbox: string, events: readonly EventNotification[], { dialect, catalogue }: RecordedFrom) {
  const { event, root, attributes: { con } = {} } = events[0] ?? {};
  const requirement = dialect === 'onem2m' ? ofEvents.get(event) : 'events.notifications';
  const content = {
    ...(typeof event === 'number' && { event }),
    ...defined({ root }),
    ...(typeof con === 'string' && { attributes: { con } }),
  };
  const isOne = events.length === 1 && Object.keys(content).length > 0;
  const check = { notifications: events.length, ...(isOne && { notification: content }) };
  const known = requirement !== undefined && catalogue.requirements.has(requirement);
  return { notified: inbox, until: events.length, within, ...(known && { check: { [requirement]: check } }) };
}
