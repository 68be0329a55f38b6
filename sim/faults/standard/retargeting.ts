/** To which point of access a notification for an application entity goes. */

import { OK } from '../../core/status.ts';
import type { Fault } from '../fault.ts';
import { breaking } from '../vocabulary/breaking.ts';
import { recoded } from '../vocabulary/changed-answers.ts';
import { done } from '../vocabulary/standard-changes.ts';
import { type Arrival, afterwards, beforehand } from '../vocabulary/standard-exchanges.ts';

const notReachable = 5103;

/** How many points of access the application entity has that a request notifies; undefined for other requests. */
function pointsOf({ given, addressed }: Arrival): number | undefined {
  if (given?.root !== 'm2m:sgn' || addressed?.type.root !== 'm2m:ae') return undefined;
  return Array.isArray(addressed.values.poa) ? addressed.values.poa.length : 0;
}

export const retargeting: readonly Fault[] = [
  breaking(
    'std.retargeting.next.answer',
    'refused',
    'The answer to a notification for an application entity with several points of access is 5103, though it is passed on.',
    afterwards((exchange) => ((pointsOf(exchange) ?? 0) > 1 ? recoded(exchange.answer, 504, notReachable) : undefined)),
  ),
  breaking(
    'std.retargeting.next',
    'not-tried',
    'A notification for an application entity with several points of access is answered by 2000 and not passed on.',
    beforehand((arrival) => ((pointsOf(arrival) ?? 0) > 1 ? done(arrival.request, OK) : undefined)),
  ),
  breaking(
    'std.retargeting.unreachable',
    'ok',
    'A notification that the only point of access of an application entity does not take is answered by 2000.',
    afterwards((exchange) =>
      pointsOf(exchange) === 1 && exchange.code === notReachable ? done(exchange.request, OK) : undefined,
    ),
  ),
  breaking(
    'std.retargeting.nowhere',
    'ok',
    'A notification for an application entity without a point of access is answered by 2000.',
    afterwards((exchange) =>
      pointsOf(exchange) === 0 && exchange.code === notReachable ? done(exchange.request, OK) : undefined,
    ),
  ),
  breaking(
    'std.retargeting.nowhere',
    'not-found',
    'A notification for an application entity without a point of access is refused with 4004.',
    afterwards((exchange) =>
      pointsOf(exchange) === 0 && exchange.code === notReachable ? recoded(exchange.answer, 404, 4004) : undefined,
    ),
  ),
];
