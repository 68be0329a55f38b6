/** What rows make of the addresses that a discovery finds, by the resources to which they lead. */
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { foundIn, resourceAt } from '../vocabulary/asked.ts';
import { withBody } from '../vocabulary/changed-answers.ts';
import type { Exchange } from './exchange.ts';
import { aroundResources } from './resource-parts.ts';
import { at, Scope } from './scope.ts';
import { meantBy, type Selector } from './selector.ts';

/** Leaves out what was found and is not meant; `one` is what an address leads to, `one.parent` what that stands below. */
export function findingOnly(exchange: Exchange, selector: Selector): HttpResponse {
  const found = foundHere(exchange);
  return found === undefined ? exchange.answer : listing(exchange, meantOf(found, exchange, selector));
}

/** Finds, behind what is found rightly, what another request finds as well and is meant. */
export async function findingAlso(exchange: Exchange, instead: HttpRequest, selector: Selector): Promise<HttpResponse> {
  const found = foundHere(exchange);
  if (found === undefined) return exchange.answer;
  const wider = foundIn((await exchange.serve(instead)).body) ?? [];
  const others = wider.filter((address) => !found.includes(address));
  return listing(exchange, [...found, ...meantOf(others, exchange, selector)]);
}

function foundHere({ answer, scope }: Exchange): readonly string[] | undefined {
  return at('done', scope) === true ? foundIn(answer.body) : undefined;
}

function listing({ answer }: Exchange, found: readonly string[]): HttpResponse {
  return withBody(answer, { 'm2m:uril': found });
}

function meantOf(addresses: readonly string[], { core, scope }: Exchange, selector: Selector): readonly string[] {
  const { before, after } = meantBy(selector);
  return addresses.filter((address) => {
    const resource = resourceAt(address, core);
    const one = aroundResources({ one: () => resource, 'one.parent': () => resource?.parent }, core, {});
    const whole = new Scope({}, (name) => one.find(name) ?? scope.find(name));
    return resource !== undefined && before(whole) && after(whole);
  });
}
