/** Requests that a CSE sends, with the names of their parts in rows. */

import { lazy } from '../../core/memoize.ts';
import type { Cse } from '../../core/operations/cse.ts';
import type { Resource } from '../../core/resource.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Wrap } from '../vocabulary/deviation.ts';
import { type Attributes, resourceIn } from '../vocabulary/messages.ts';
import { type Arrival, answered, arrivalOf, arriving } from './exchange.ts';
import { attributesOf, resourceAt, resourceScope } from './resource-parts.ts';
import { at, inner, type Scope } from './scope.ts';

/** A request about to be sent. */
export interface OutgoingContext {
  readonly request: OutgoingRequest;
  readonly scope: Scope;
}

export function outgoingOf(request: OutgoingRequest, baseUrl: string, core: Cse): OutgoingContext {
  const value = jsonIn(request.body ?? '');
  const described = resourceIn(request.body ?? '');
  const notification = isObject(value) && isObject(value['m2m:sgn']) ? value['m2m:sgn'] : undefined;
  const notifications = notificationsIn(value);
  const event = isObject(notification?.nev) ? notification.nev : undefined;
  const [root, rep] = isObject(event?.rep) ? (Object.entries(event.rep)[0] ?? []) : [];
  const { sur } = notification ?? notifications?.[0] ?? {};
  const subscription = resourceNamed(sur, core);
  const url = `${baseUrl}${request.target}`;
  const cause = lazy(() => causeOf(namesOf(request, url, sur, rep, described?.attributes), core));
  const original = () => resourceNamed(described?.attributes.lnk, core) ?? cause()?.target;
  const { configuration, services } = core;
  const resources = {
    subscription: () => subscription,
    subscribed: () => subscription?.parent,
    'collecting-group': () => collectingGroupOf(subscription, core),
    original,
  };
  const scope = resourceScope(resources, core, {
    method: () => request.method,
    path: () => request.target,
    url: () => url,
    header: () => request.headers,
    body: () => value,
    root: () => described?.root,
    requested: () => described?.attributes,
    notification: () => notification,
    notifications: () => notifications,
    event: () => event,
    rep: () => rep,
    'rep.root': () => root,
    'subscription.first': () => subscription && subscription.parent?.subscriptions?.[0] === subscription,
    cause: () => cause()?.request,
    cse: () => ({ ...attributesOf(core.tree.base, core), id: configuration.cseId, base: configuration.base }),
    'cse.points': () => pointsIn(core),
    now: () => services.ports.clock.now(),
  });
  return { request, scope };
}

/** The group that gathers the notifications of a member's subscription. */
export function collectingGroupOf(subscription: Resource | undefined, core: Cse): Resource | undefined {
  const { nfu, nu } = subscription?.values ?? {};
  return typeof nfu === 'string' && Array.isArray(nu) ? resourceNamed(nu[0], core) : undefined;
}

/** Whether a subscription covers events of this type; always for undefined. */
export function coversEvent({ enc }: Attributes, event: number | undefined): boolean {
  return event === undefined || (isObject(enc) && Array.isArray(enc.net) && enc.net.includes(event));
}

/** The scope with the reply; `answer` is undefined for an unreachable target, which has no status. */
export function replyScope({ scope }: OutgoingContext, answer: OutgoingAnswer | undefined): Scope {
  return answer === undefined ? scope.with({ success: () => false }) : answered(answer, scope).scope;
}

/** Parts beside those of received requests. */
export const sendingParts: readonly string[] = [
  ...[
    'url',
    'notification',
    'notifications',
    'event',
    'rep',
    'subscription',
    'subscribed',
    'collecting-group',
    'cause',
    'original',
  ],
];

/** The notifications in an aggregated one. */
export function notificationsIn(value: unknown): readonly Attributes[] | undefined {
  const parts = inner(inner(value, 'm2m:agn'), 'm2m:sgn');
  return Array.isArray(parts) ? parts : undefined;
}

function resourceNamed(address: unknown, core: Cse): Resource | undefined {
  return typeof address === 'string' ? resourceAt(address, core) : undefined;
}

/** Names of what a sent request concerns, the most specific first, as used for causes. */
function namesOf(
  { target }: OutgoingRequest,
  url: string,
  sur: unknown,
  rep: unknown,
  attributes: Attributes | undefined,
): readonly unknown[] {
  const identifier = isObject(rep) ? rep.ri : undefined;
  return [identifier, sur, attributes?.lnk, target.replace(/^\/~/, ''), url];
}

/** Points of access of local AEs, with and without a trailing slash. */
function pointsIn({ tree }: Cse): readonly string[] {
  const points = [...(tree.base.children?.values() ?? [])].flatMap(({ values }) => values.poa ?? []);
  return points.flatMap((one) => {
    const bare = String(one).replace(/\/+$/, '');
    return [bare, `${bare}/`];
  });
}

// Why something is sent: the received request that caused it.

/** A request that caused something to be sent. */
interface Cause {
  readonly request: Attributes;
  readonly target: Resource | undefined;
}

const causes = new WeakMap<Cse, Map<unknown, Cause>>();

/** Records each changing request by the names of what it changes, and of the targets that it names. */
export const recordingCauses: Wrap = arriving(arrivalOf, (arrival) => {
  const { request, core, serve, target } = arrival;
  if (['POST', 'PUT', 'DELETE'].includes(request.method)) {
    const known = causes.get(core) ?? new Map<unknown, Cause>();
    causes.set(core, known);
    for (const name of namesIn(arrival, core)) known.set(name, { request: requestOf(arrival), target });
  }
  return serve(request);
});

/** A create changes no existing resource. */
function namesIn({ request, target, scope }: Arrival, { configuration }: Cse): readonly unknown[] {
  const attributes = at('requested', scope);
  const targets =
    isObject(attributes) && at('root', scope) === 'm2m:sub' && Array.isArray(attributes.nu) ? attributes.nu : [];
  if (target === undefined || request.method === 'POST') return targets;
  const { id, path, values } = target;
  const announced = (values.at ?? []) as readonly string[];
  return [id, `/${configuration.cseId}/${id}`, path, `/${configuration.cseId}/${path}`, ...announced, ...targets];
}

const requestOf = ({ scope }: Arrival): Attributes => ({
  method: at('method', scope),
  originator: at('originator', scope),
  requested: at('requested', scope),
});

/** The latest request recorded under the first of these names that has one. */
function causeOf(names: readonly unknown[], core: Cse): Cause | undefined {
  const known = causes.get(core);
  return names.map((name) => known?.get(name)).find((one) => one !== undefined);
}
