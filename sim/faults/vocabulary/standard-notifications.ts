/** What faults of the standard make of subscriptions and of what a CSE sends because of them. */
import type { Cse } from '../../core/cse.ts';
import { JsonText } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault, Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import {
  changingNotifications,
  type Notification,
  signalIn,
  subscriptionOf,
  telling,
} from './changed-notifications.ts';
import { describing, toBeWritten } from './changed-requests.ts';
import { isObject, jsonIn } from './representations.ts';
import { attributesIn } from './standard-shown.ts';
import { Told } from './told.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;
type Sent = { readonly wrapSender: WrapSender };

export type WhenSent = (notification: Notification, core: Cse) => boolean;

function netOf({ nev }: Attributes): unknown {
  return isObject(nev) ? nev.net : undefined;
}

/** The kind of what a notification shows: `m2m:cin`. */
export function rootOf({ nev }: Attributes): string | undefined {
  return isObject(nev) && isObject(nev.rep) ? Object.keys(nev.rep)[0] : undefined;
}

export const isEvent: WhenSent = ({ signal }) => isObject(signal.nev);
export const isQuestion: WhenSent = ({ signal }) => signal.vrq === true;
export const ofEvent =
  (net: number): WhenSent =>
  ({ signal }) =>
    netOf(signal) === net;

/** Events of subscriptions of which this is true. */
export const ofSubscriptions =
  (when: (attributes: Attributes, subscription: Resource) => boolean): WhenSent =>
  (notification, core) => {
    const subscription = isEvent(notification, core) ? subscriptionOf(notification.signal, core) : undefined;
    return subscription !== undefined && when(subscription.values, subscription);
  };

export function withholding(when: WhenSent): Sent {
  return {
    wrapSender: changingNotifications((notification, core) =>
      when(notification, core) ? undefined : notification.request,
    ),
  };
}

/** What is sent twice, one after the other. */
export function doubling(when: WhenSent): Sent {
  return doublingSent((request, url, core) => {
    const signal = signalIn(request);
    return signal !== undefined && when({ signal, request, url }, core);
  });
}

export function doublingAggregates(when: (parts: readonly Attributes[], core: Cse) => boolean): Sent {
  return doublingSent((request, _url, core) => {
    const parts = aggregateIn(request);
    return parts !== undefined && when(parts, core);
  });
}

function doublingSent(when: (request: OutgoingRequest, url: string, core: Cse) => boolean): Sent {
  return {
    wrapSender: (sender, core) => ({
      send: async (baseUrl, request, signal) => {
        if (when(request, `${baseUrl}${request.target}`, core)) await sender.send(baseUrl, request, signal);
        return sender.send(baseUrl, request, signal);
      },
    }),
  };
}

/** Other content of the notifications that are meant. */
export function retelling(when: WhenSent, change: (signal: Attributes, core: Cse) => Attributes): Sent {
  return {
    wrapSender: changingNotifications((notification, core) =>
      when(notification, core)
        ? telling(notification.request, change(notification.signal, core))
        : notification.request,
    ),
  };
}

/** The event in a notification, with other parts. */
export function withEvent(signal: Attributes, change: Attributes): Attributes {
  return { ...signal, nev: { ...(isObject(signal.nev) ? signal.nev : {}), ...change } };
}

/** The notification with other attributes of what it shows. */
export function showingElse(signal: Attributes, change: (attributes: Attributes) => Attributes): Attributes {
  const { rep } = isObject(signal.nev) ? signal.nev : {};
  const [[root, attributes] = []] = isObject(rep) ? Object.entries(rep) : [];
  if (root === undefined || !isObject(attributes)) return signal;
  return withEvent(signal, { rep: { [root]: change(attributes) } });
}

/** Other headers of the notifications that are meant; undefined takes one away. */
export function relabelling(when: WhenSent, headers: Readonly<Record<string, string | undefined>>): Sent {
  return {
    wrapSender: changingNotifications((notification, core) => {
      const { request } = notification;
      if (!when(notification, core)) return request;
      const all = Object.entries({ ...request.headers, ...headers });
      return {
        ...request,
        headers: Object.fromEntries(all.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]]))),
      };
    }),
  };
}

/** Another answer to what is sent than the one that came. */
export function mishearing(when: WhenSent, change: (answer: OutgoingAnswer, core: Cse) => OutgoingAnswer): Sent {
  return {
    wrapSender: (sender, core) => ({
      send: async (baseUrl, request, abort) => {
        const answer = await sender.send(baseUrl, request, abort);
        const signal = signalIn(request);
        const meant = signal !== undefined && when({ signal, request, url: `${baseUrl}${request.target}` }, core);
        return meant ? change(answer, core) : answer;
      },
    }),
  };
}

/** What an `m2m:agn` in a request holds, if it has one. */
export function aggregateIn({ body }: OutgoingRequest): readonly Attributes[] | undefined {
  const value = jsonIn(body ?? '');
  const aggregate = isObject(value) ? value['m2m:agn'] : undefined;
  const parts = isObject(aggregate) ? aggregate['m2m:sgn'] : undefined;
  return Array.isArray(parts) ? parts : undefined;
}

/** Other notifications in those that hold several; undefined leaves them as they are. */
export function regathering(
  change: (parts: readonly Attributes[], core: Cse) => readonly Attributes[] | undefined,
): Sent {
  return {
    wrapSender: (sender, core) => ({
      send: (baseUrl, request, signal) => {
        const parts = aggregateIn(request);
        const instead = parts && change(parts, core);
        const body = JSON.stringify({ 'm2m:agn': { 'm2m:sgn': instead } });
        return sender.send(baseUrl, instead === undefined ? request : { ...request, body }, signal);
      },
    }),
  };
}

/** The subscription of the first of several notifications. */
export function subscriptionOfAll([first]: readonly Attributes[], core: Cse): Resource | undefined {
  return first && subscriptionOf(first, core);
}

/**
 * A subscription is created or updated with other attributes than those that were given, while these are shown; undefined for as
 * they were given.
 */
export function subscribingOtherwise(
  change: (attributes: Attributes, method: string, core: Cse) => Attributes | undefined,
): Wrap {
  return (service, core) => {
    const told = new Told();
    return handling(async (request) => {
      const written = toBeWritten(request);
      const meant = written?.root === 'm2m:sub' ? written.attributes : undefined;
      const attributes = meant && change(meant, request.method, core);
      if (meant === undefined || attributes === undefined) return told.in(await service.handle(request));
      const answer = await service.handle(describing(request, { root: 'm2m:sub', attributes }));
      const changed = Object.entries(meant).filter(([name, value]) => attributes[name] !== value);
      const { ri } = attributesIn(answer);
      if (isSuccess(answer) && ri !== undefined) told.say(ri, Object.fromEntries(changed));
      return told.in(answer);
    })(service, core);
  };
}

/** The attributes of a subscription with other criteria; undefined where it has none, or the change says so. */
export function withCriteria(
  attributes: Attributes,
  change: (criteria: Attributes) => Attributes | undefined,
): Attributes | undefined {
  const enc = isObject(attributes.enc) ? change(attributes.enc) : undefined;
  return enc && { ...attributes, enc };
}

/** Sends a notification that is none of the CSE's own to a target of a subscription. */
export function tellBesides(core: Cse, subscription: Resource, signal: Attributes, target?: unknown): void {
  const { nu } = subscription.values;
  const to = target ?? (Array.isArray(nu) ? nu[0] : undefined);
  const sur = `/${core.configuration.cseId}/${subscription.id}`;
  const content = new JsonText(JSON.stringify({ 'm2m:sgn': { ...signal, sur } }));
  // Who cannot be reached is not told.
  if (typeof to === 'string') core.services.notifier.passOn(to, content).catch(() => {});
}

/** The subscriptions of a resource that want this type of event. */
export function subscriptionsTo(resource: Resource | undefined, net: number): readonly Resource[] {
  return (resource?.subscriptions ?? []).filter(({ values }) => {
    const wanted = isObject(values.enc) ? values.enc.net : undefined;
    return Array.isArray(wanted) && wanted.includes(net);
  });
}

/** What both sides of a fault know, of each CSE apart: what came in, and what is sent because of it. */
export function sharing<T>(make: () => T): (core: Cse) => T {
  const known = new WeakMap<Cse, T>();
  return (core) => {
    const shared = known.get(core) ?? make();
    known.set(core, shared);
    return shared;
  };
}
