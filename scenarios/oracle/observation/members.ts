/** Whom a request reaches that goes to all members of a group (TS-0001 10.2.7.6 to 10.2.7.9). */

import { isObject } from '../../engine/basics/body.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { type CseNames, meaningsOfIdentifier } from '../../engine/messages/address.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { isGone, type KnownResource } from './known-resource.ts';
import { type ObservedOperation, operations } from './parsed-request.ts';
import type { ResourceIndex } from './resource-index.ts';
import type { SeenExchange } from './seen-exchange.ts';

type Members = readonly KnownResource[] | undefined;

/** Undefined where nobody can tell who they are, or when they are asked. */
export function membersReached({ request, exchange }: SeenExchange, index: ResourceIndex, home: CseNames): Members {
  const isDoneNow = exchange.answer !== undefined && exchange.answer.status !== 202 && !request.query.has('rt');
  const members = isDoneNow ? groupIn({ request }, index)?.members : undefined;
  if (members === undefined) return undefined;
  const reached = members.map((one) => memberCalled(one, index, home));
  return reached.every((one) => one !== undefined) ? reached.flat() : undefined;
}

/** The group to whose members it goes, where it is certainly there. */
export function groupIn({ request }: Pick<SeenExchange, 'request'>, index: ResourceIndex): KnownResource | undefined {
  if (request.group === undefined) return undefined;
  const group = request.form === 'identifier' ? resourceBy(request.group, index) : index.named(request.group);
  return group?.state === 'there' ? group : undefined;
}

/** By which a member says that it is done, by the operation (TS-0004 6.6.3.2). */
const codes: ReadonlyMap<ObservedOperation, number> = new Map([
  ['create', 2001],
  ['retrieve', 2000],
  ['update', 2004],
  ['delete', 2002],
]);

/** What each member is asked for, and its code when that is done; undefined where it is none of these. */
export function fanOutOperation({
  request,
}: Exchange): { readonly operation: ObservedOperation; readonly code: number } | undefined {
  const operation = operations.get(request.method);
  const code = operation && codes.get(operation);
  return operation === undefined || code === undefined ? undefined : { operation, code };
}

/** Whether each member says that it is done (TS-0004 7.4.14.2). */
export function isDoneByAll(exchange: Exchange, members: number): boolean {
  const aggregated = viewOf(exchange).attributes?.['m2m:rsp'];
  const isDone = (one: unknown) => isObject(one) && String(one.rsc) === String(fanOutOperation(exchange)?.code);
  return Array.isArray(aggregated) && aggregated.length === members && aggregated.every(isDone);
}

function resourceBy([identifier, ...below]: readonly string[], index: ResourceIndex): KnownResource | undefined {
  const found = index.identified(identifier);
  return found === undefined || below.length === 0 ? found : index.named([...found.names, ...below]);
}

/** In each way in which it may be meant; undefined where one of them leads elsewhere, or to another group. */
function memberCalled(address: string, index: ResourceIndex, home: CseNames): Members {
  const found = (meaningsOfIdentifier(address, home) ?? []).map(({ cseId, segments }) => {
    if (cseId !== home.cseId) return undefined;
    return segments[0] === home.base ? index.named(segments.slice(1)) : resourceBy(segments, index);
  });
  const known = found.filter((one) => one !== undefined);
  // A path of the second way is one that no CSE has, unless something is called so.
  if (found[0] === undefined || known.some(({ type, state }) => type === 'group' && state !== 'gone')) return undefined;
  return known.filter((one) => !isGone(one));
}
