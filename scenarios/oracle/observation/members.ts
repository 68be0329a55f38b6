/** Whom a request reaches that goes to all members of a group (TS-0001 10.2.7.6 to 10.2.7.9). */

import { isObject } from '../../engine/basics/body.ts';
import { viewOf } from '../../engine/judging/answer.ts';
import { type CseNames, readingsOfIdentifier } from '../../engine/messages/address.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import { type ObservedOperation, operations } from './asked.ts';
import { type Held, isGone } from './held.ts';
import type { Places } from './places.ts';
import type { Seen } from './seen.ts';

/** Undefined where nobody can tell who they are, or when they are asked. */
export function reachedBy({ asked, exchange }: Seen, places: Places, home: CseNames): readonly Held[] | undefined {
  const isDoneNow = exchange.answer !== undefined && exchange.answer.status !== 202 && !asked.query.has('rt');
  const members = isDoneNow ? groupIn({ asked }, places)?.members : undefined;
  if (members === undefined) return undefined;
  const reached = members.map((one) => memberCalled(one, places, home));
  return reached.every((one) => one !== undefined) ? reached.flat() : undefined;
}

/** The group to whose members it goes, where it is certainly there. */
export function groupIn({ asked }: Pick<Seen, 'asked'>, places: Places): Held | undefined {
  if (asked.group === undefined) return undefined;
  const group = asked.form === 'identifier' ? foundBy(asked.group, places) : places.named(asked.group);
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
export function spreadBy({
  request,
}: Exchange): { readonly operation: ObservedOperation; readonly code: number } | undefined {
  const operation = operations.get(request.method);
  const code = operation && codes.get(operation);
  return operation === undefined || code === undefined ? undefined : { operation, code };
}

/** Whether each member says that it is done (TS-0004 7.4.14.2). */
export function isDoneByAll(exchange: Exchange, members: number): boolean {
  const aggregated = viewOf(exchange).attributes?.['m2m:rsp'];
  const isDone = (one: unknown) => isObject(one) && String(one.rsc) === String(spreadBy(exchange)?.code);
  return Array.isArray(aggregated) && aggregated.length === members && aggregated.every(isDone);
}

function foundBy([identifier, ...below]: readonly string[], places: Places): Held | undefined {
  const found = places.identified(identifier);
  return found === undefined || below.length === 0 ? found : places.named([...found.names, ...below]);
}

/** In each way in which it may be meant; undefined where one of them leads elsewhere, or to another group. */
function memberCalled(address: string, places: Places, home: CseNames): readonly Held[] | undefined {
  const found = (readingsOfIdentifier(address, home) ?? []).map(({ cseId, segments }) => {
    if (cseId !== home.cseId) return undefined;
    return segments[0] === home.base ? places.named(segments.slice(1)) : foundBy(segments, places);
  });
  const known = found.filter((one) => one !== undefined);
  // A path of the second way is one that no CSE has, unless something is called so.
  if (found[0] === undefined || known.some(({ type, state }) => type === 'group' && state !== 'gone')) return undefined;
  return known.filter((one) => !isGone(one));
}
