/** The members of a group that a request reaches (TS-0001 10.2.7.6 to 10.2.7.9). */

import { isObject } from '../../engine/basics/body.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { type CseNames, meaningsOfIdentifier } from '../../engine/messages/address.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { isGone, type KnownResource } from './known-resource.ts';
import { type ObservedOperation, operations } from './parsed-request.ts';
import type { ResourceIndex } from './resource-index.ts';
import type { SeenExchange } from './seen-exchange.ts';

type Members = readonly KnownResource[] | undefined;

/** Undefined if the members, or the time of the fan-out, are unknown. */
export function membersReached({ request, exchange }: SeenExchange, index: ResourceIndex, home: CseNames): Members {
  const isDoneNow = exchange.answer !== undefined && exchange.answer.status !== 202 && !request.query.has('rt');
  const members = isDoneNow ? groupIn({ request }, index)?.members : undefined;
  if (members === undefined) return undefined;
  const reached = members.map((one) => memberCalled(one, index, home));
  return reached.every((one) => one !== undefined) ? reached.flat() : undefined;
}

/** The group of a fan-out, if it certainly exists. */
export function groupIn({ request }: Pick<SeenExchange, 'request'>, index: ResourceIndex): KnownResource | undefined {
  if (request.group === undefined) return undefined;
  const group = request.form === 'identifier' ? resourceBy(request.group, index) : index.named(request.group);
  return group?.state === 'there' ? group : undefined;
}

/** Response status codes for success, by operation (TS-0004 6.6.3.2). */
const codes: ReadonlyMap<ObservedOperation, number> = new Map([
  ['create', 2001],
  ['retrieve', 2000],
  ['update', 2004],
  ['delete', 2002],
]);

/** The operation on each member, with its code for success; undefined for other methods. */
export function fanOutOperation({ request }: Exchange) {
  const operation = operations.get(request.method);
  const code = operation && codes.get(operation);
  return operation === undefined || code === undefined ? undefined : { operation, code };
}

/** Whether each member reports success (TS-0004 7.4.14.2). */
export function isDoneByAll(exchange: Exchange, members: number): boolean {
  const aggregated = viewOf(exchange).attributes?.['m2m:rsp'];
  const isDone = (one: unknown) => isObject(one) && String(one.rsc) === String(fanOutOperation(exchange)?.code);
  return Array.isArray(aggregated) && aggregated.length === members && aggregated.every(isDone);
}

function resourceBy([identifier, ...below]: readonly string[], index: ResourceIndex): KnownResource | undefined {
  const found = index.identified(identifier);
  return found === undefined || below.length === 0 ? found : index.named([...found.names, ...below]);
}

/** All possible meanings of an address; undefined if one is elsewhere, or another group. */
function memberCalled(address: string, index: ResourceIndex, home: CseNames): Members {
  const found = (meaningsOfIdentifier(address, home) ?? []).map(({ cseId, segments }) => {
    if (cseId !== home.cseId) return undefined;
    return segments[0] === home.base ? index.named(segments.slice(1)) : resourceBy(segments, index);
  });
  const known = found.filter((one) => one !== undefined);
  // No CSE has a path in the second meaning, unless a resource has such a name.
  if (found[0] === undefined || known.some(({ type, state }) => type === 'group' && state !== 'gone')) return undefined;
  return known.filter((one) => !isGone(one));
}
