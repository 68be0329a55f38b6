/** What faults and quirks make of what a CSE sends. */
import type { Cse } from '../../core/cse.ts';
import { representation } from '../../core/representation.ts';
import type { Resource } from '../../core/resource.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault } from '../fault.ts';
import { type Attributes, resourceAt } from './asked.ts';
import { isObject, jsonIn } from './representations.ts';

type WrapSender = NonNullable<Fault['wrapSender']>;

/** What a target is taken to have answered to what was not sent. */
const taken: OutgoingAnswer = { status: 200, headers: { 'x-m2m-rsc': '2000' }, body: '' };

/** Changes each request before it is sent; undefined leaves it as it is. */
export function changingSent(
  change: (request: OutgoingRequest, baseUrl: string, core: Cse) => OutgoingRequest | undefined,
): WrapSender {
  return (sender, core) => ({
    send: (baseUrl, request, signal) => sender.send(baseUrl, change(request, baseUrl, core) ?? request, signal),
  });
}

export interface Notification {
  /** What `m2m:sgn` holds. */
  readonly signal: Attributes;
  readonly request: OutgoingRequest;
  /** Where it goes: the whole URL. */
  readonly url: string;
}

/** What is sent in place of each notification; undefined for nothing at all. */
export function changingNotifications(
  change: (notification: Notification, core: Cse) => OutgoingRequest | undefined,
): WrapSender {
  return (sender, core) => ({
    send: async (baseUrl, request, abort) => {
      const signal = signalIn(request);
      const url = `${baseUrl}${request.target}`;
      const sent = signal === undefined ? request : change({ signal, request, url }, core);
      return sent === undefined ? taken : sender.send(baseUrl, sent, abort);
    },
  });
}

/** What the `m2m:sgn` in a request holds, if it has one. */
export function signalIn({ body }: OutgoingRequest): Attributes | undefined {
  const value = jsonIn(body ?? '');
  const signal = isObject(value) ? value['m2m:sgn'] : undefined;
  return isObject(signal) ? signal : undefined;
}

/** The request with another notification in it. */
export function telling(request: OutgoingRequest, signal: Attributes): OutgoingRequest {
  return { ...request, body: JSON.stringify({ 'm2m:sgn': signal }) };
}

/** The subscription that a notification names. */
export function subscriptionOf({ sur }: Attributes, core: Cse): Resource | undefined {
  return typeof sur === 'string' ? resourceAt(sur, core) : undefined;
}

/** The request with all of the subscribed resource in it; as it is where nothing but its update is told so. */
export function tellingAll({ signal, request }: Notification, core: Cse): OutgoingRequest {
  const subscribed = subscriptionOf(signal, core)?.parent;
  const { nev } = signal;
  if (subscribed === undefined || !isObject(nev) || nev.net !== 1) return request;
  const rep = JSON.parse(representation(subscribed, core.configuration.dialect).text);
  return telling(request, { ...signal, nev: { ...nev, rep } });
}

/** Whether an application entity is reached at this URL, which is then not itself the target. A slash at the end says nothing. */
export function isPointOfAccess(url: string, { tree }: Cse): boolean {
  const pointsOf = ({ values }: Resource): unknown[] => (Array.isArray(values.poa) ? values.poa : []);
  const points = [...(tree.base.children?.values() ?? [])].flatMap(pointsOf);
  return points.some((one) => typeof one === 'string' && withoutSlash(one) === withoutSlash(url));
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');
