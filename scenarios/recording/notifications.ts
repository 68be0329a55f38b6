import type { Catalogue } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { isObject } from '../engine/judging/body.ts';
import { type Passed, payloadOf } from './passed.ts';
import type { Notified } from './relay.ts';

/** What a notification of an event says. */
export interface Told {
  /** Of the application. */
  readonly url: string;
  readonly event?: number;
  readonly root?: string;
  readonly con?: string;
  readonly ri?: string;
}

/** So long a replay waits for what came when it was recorded. */
const within = '10s';

/** Requirements that speak of an event (TS-0001 9.6.8, eventType). */
const ofEvents: ReadonlyMap<number | undefined, string> = new Map([
  [1, 'std.notification.event.update'],
  [2, 'std.notification.event.delete'],
  [3, 'std.notification.event.create-child'],
  [4, 'std.notification.event.delete-child'],
]);

/** The events that were notified, each behind the request that brought it: the one that shows the same resource, else the last before it. */
export function behindRequests(
  all: readonly Notified[],
  passed: readonly Passed[],
): ReadonlyMap<number, readonly Told[]> {
  const placed = new Map<number, Told[]>();
  for (const { at, url, body } of all) {
    const told = toldIn(body, url);
    if (told === undefined) continue;
    const before = passed.map((one, index) => ({ one, index })).filter(({ one }) => one.began <= at);
    const same = before.findLast(({ one }) => told.ri !== undefined && one.method !== 'GET' && riIn(one) === told.ri);
    const index = (same ?? before.at(-1))?.index ?? 0;
    placed.set(index, [...(placed.get(index) ?? []), told]);
  }
  return placed;
}

/** A look into an inbox for what came to it between two requests. */
export function lookFor(
  inbox: string,
  told: readonly Told[],
  { dialect, catalogue }: { dialect: Dialect; catalogue: Catalogue },
) {
  const [first] = told;
  const requirement = dialect === 'onem2m' ? ofEvents.get(first?.event) : 'events.notifications';
  const { event, root, con } = first ?? {};
  const content = { ...(event && { event }), ...(root && { root }), ...(con !== undefined && { attributes: { con } }) };
  const isOne = told.length === 1 && Object.keys(content).length > 0;
  const check = { notifications: told.length, ...(isOne && { notification: content }) };
  const known = requirement !== undefined && catalogue.requirements.has(requirement);
  return { notified: inbox, until: told.length, within, ...(known && { check: { [requirement]: check } }) };
}

/** Undefined for a question whether the application takes notifications, the end of a subscription, and what is no notification. */
function toldIn(body: Buffer, url: string): Told | undefined {
  const { root, value } = payloadOf(body) ?? {};
  if (root !== 'm2m:sgn' || !isObject(value) || !isObject(value.nev)) return undefined;
  const { net, rep } = value.nev;
  const [shown] = isObject(rep) ? Object.entries(rep) : [];
  const attributes = isObject(shown?.[1]) ? shown[1] : {};
  return {
    url,
    ...(typeof net === 'number' && { event: net }),
    ...(shown && { root: shown[0] }),
    ...(typeof attributes.con === 'string' && { con: attributes.con }),
    ...(typeof attributes.ri === 'string' && { ri: attributes.ri }),
  };
}

function riIn({ answer }: Passed): unknown {
  const value = payloadOf(answer)?.value;
  return isObject(value) ? value.ri : undefined;
}
