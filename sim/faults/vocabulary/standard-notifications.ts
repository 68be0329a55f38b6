/** What faults of the standard make of subscriptions and of what a CSE sends because of them. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { OutgoingRequest } from '../../dialects/outgoing-message.ts';
import type { Fault } from '../fault.ts';
import type { Attributes } from './asked.ts';
import { subscriptionOf } from './changed-notifications.ts';
import { isObject, jsonIn } from './representations.ts';

type Sent = Required<Pick<Fault, 'wrapSender'>>;

/** What is sent twice, one after the other. */
export function doublingAggregates(when: (parts: readonly Attributes[], core: Cse) => boolean): Sent {
  return {
    wrapSender: (sender, core) => ({
      send: async (baseUrl, request, signal) => {
        const parts = aggregateIn(request);
        if (parts !== undefined && when(parts, core)) await sender.send(baseUrl, request, signal);
        return sender.send(baseUrl, request, signal);
      },
    }),
  };
}

/** What an `m2m:agn` in a request holds, if it has one. */
function aggregateIn({ body }: OutgoingRequest): readonly Attributes[] | undefined {
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
