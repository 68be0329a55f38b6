/** What rows make of the addresses that a discovery finds, by the resources to which they lead. */

import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import { resourceAt } from '../vocabulary/blocks.ts';
import { foundIn, withBody } from '../vocabulary/messages.ts';
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

function meantOf(addresses: readonly string[], exchange: Exchange, selector: Selector): readonly string[] {
  const { core, scope, target } = exchange;
  const { before, after } = meantBy(selector);
  const may = (resource: Resource) => allowedAt(resource, exchange);
  return addresses.filter((address) => {
    const resource = resourceAt(address, core);
    const one = aroundResources({ one: () => resource, 'one.parent': () => resource?.parent }, core, {
      'one.may': () => resource && may(resource),
      'one.beside.may': () => [...(resource?.parent?.children?.values() ?? [])].map(may),
      'one.within.may': () => between(resource, target).map(may),
    });
    const whole = new Scope({}, (name) => one.find(name) ?? scope.find(name));
    return resource !== undefined && before(whole) && after(whole);
  });
}

/** What the originator may do there. */
function allowedAt(resource: Resource, { core, scope }: Exchange): readonly string[] {
  const { access } = core.services;
  const request = { operation: 'retrieve', to: '', from: String(at('from', scope)) } as const;
  return (['retrieve', 'discover'] as const).filter((one) => !access.required || access.allows(request, one, resource));
}

/** What stands above the one and below the other. */
function between(below: Resource | undefined, above: Resource | undefined): readonly Resource[] {
  const { parent } = below ?? {};
  return parent === undefined || parent === above ? [] : [parent, ...between(parent, above)];
}
