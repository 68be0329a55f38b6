/** What faults of the standard make of discoveries: of what is asked for, and of what is found. */
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { foundIn, isSuccess, resourceAt } from './asked.ts';
import { withBody } from './changed-answers.ts';
import { type Arrival, afterwards, type Exchange } from './standard-exchanges.ts';

/** Another list in place of what was found. */
export function finding(
  asks: (exchange: Exchange) => boolean,
  change: (found: readonly string[], exchange: Exchange) => readonly string[] | Promise<readonly string[]>,
): Wrap {
  return afterwards(async (exchange) => {
    const { answer, about } = exchange;
    const found = about.discovery && isSuccess(answer) ? foundIn(answer.body) : undefined;
    if (found === undefined || !asks(exchange)) return undefined;
    return withBody(answer, { 'm2m:uril': await change(found, exchange) });
  });
}

/** Finds, behind what is found rightly, what another request finds as well and passes. */
export function findingAlso(
  asks: (exchange: Exchange) => boolean,
  instead: (exchange: Exchange) => HttpRequest,
  passes: (resource: Resource, exchange: Exchange) => boolean | Promise<boolean> = () => true,
): Wrap {
  return finding(asks, async (found, exchange) => {
    const wider = foundIn((await exchange.serve(instead(exchange))).body) ?? [];
    const others = wider.filter((address) => !found.includes(address));
    return [...found, ...(await passing(others, exchange, passes))];
  });
}

/** Those that lead to what passes. */
export async function passing(
  addresses: readonly string[],
  exchange: Exchange,
  passes: (resource: Resource, exchange: Exchange) => boolean | Promise<boolean>,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const address of addresses) {
    const resource = resourceAt(address, exchange.core);
    if (resource !== undefined && (await passes(resource, exchange))) kept.push(address);
  }
  return kept;
}

/** Whether the originator of a discovery may read a resource. */
export async function mayRead({ request, serve }: Arrival, resource: Resource): Promise<boolean> {
  return isSuccess(await serve({ ...request, target: `/${resource.path}` }));
}
