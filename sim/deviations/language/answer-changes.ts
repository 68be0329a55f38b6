/** Operators of rows that change answers, and the addresses found by a discovery. */
import type { Resource } from '../../core/resource.ts';
import { statusOf } from '../../core/status.ts';
import { isObject, jsonIn } from '../../dialects/body.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import {
  type Attributes,
  echoOf,
  foundIn,
  resourceIn,
  withBody,
  withHeaders,
  withoutHeaders,
} from '../vocabulary/messages.ts';
import { type Arrival, exchangeOf, type ServedExchange } from './exchange.ts';
import type { Pattern } from './pattern.ts';
import { changedRequest, changeHeaders, type Does } from './request-changes.ts';
import { resourceAt, resourceScope } from './resource-parts.ts';
import { at, Scope } from './scope.ts';
import { matchersOf, type Selector } from './selector.ts';
import { changedBy, omitted, type Term, valueFor } from './term.ts';

type ChangeAnswer = (exchange: ServedExchange, argument: never) => HttpResponse | Promise<HttpResponse>;

const answerChanges: ReadonlyMap<string, ChangeAnswer> = new Map(
  Object.entries<ChangeAnswer>({
    status: ({ answer }, status: number) => ({ ...answer, status }),
    rsc: ({ answer, scope }, term: Term) => coded(answer, Number(valueFor(term, scope))),
    headers: ({ answer, scope }, terms: Attributes) => changeHeaders(answer, terms, scope),
    return: (exchange, terms: Attributes) => showing(exchange, (was) => changedBy(terms, was, exchange.scope)),
    drop: (exchange, names: Pattern) => showing(exchange, (was) => omitted(was, names, exchange.scope)),
    root: (exchange, root: Term) => showing(exchange, (was) => was, root),
    body: ({ answer, scope }, term: Term) => withBody(answer, valueFor(term, scope, jsonIn(answer.body))),
    'body-text': ({ answer, scope }, term: Term) => written(answer, String(valueFor(term, scope, answer.body))),
    found: listed('found', (found) => ({ 'm2m:uril': found })),
    'find-only': findingOnly,
    'find-also': (exchange, { only = {}, ...does }: Does & { readonly only?: Selector }) =>
      findingAlso(exchange, changedRequest(does, exchange), only),
    lists: listing,
    'on-wire': ({ answer }, carried: string) => ({ ...answer, carried }),
    responses: listed('responses', (responses) => ({ 'm2m:agr': { 'm2m:rsp': responses } })),
  }),
);

/** The answer changed by all these operators. */
export async function changedAnswer(does: Does, exchange: ServedExchange): Promise<HttpResponse> {
  let changed = exchange;
  for (const [name, argument] of Object.entries(does)) {
    const change = answerChanges.get(name);
    if (change !== undefined) changed = exchangeOf(changed, await change(changed, argument as never));
  }
  return changed.answer;
}

export const answerOperators: readonly string[] = [...answerChanges.keys()];

export function statusFor(code: number) {
  return statusOf(code, code < 3000 ? 200 : code < 5000 ? 400 : 500);
}

const coded = (answer: HttpResponse, code: number) =>
  withHeaders({ ...answer, status: statusFor(code).http }, { 'X-M2M-RSC': String(code) });

/** A refusal without serving the request, in the form of the reference CSE. */
export function refusal(arrival: Arrival, code: number): HttpResponse {
  const answer = withHeaders(pretended(arrival, code), { 'Content-Type': 'application/json' });
  return withBody(answer, { 'm2m:dbg': 'Refused.' });
}

/** A success without content, for a request that was not served. */
export function pretended({ request }: Arrival, code: number): HttpResponse {
  return { status: statusFor(code).http, headers: { 'X-M2M-RSC': String(code), ...echoOf(request) }, body: '' };
}

function showing(exchange: ServedExchange, change: (was: Attributes) => Attributes, otherRoot?: Term): HttpResponse {
  const { answer, scope } = exchange;
  const representation = at('success', scope) === true ? resourceIn(answer.body) : undefined;
  if (representation === undefined) return answer;
  const root = otherRoot === undefined ? representation.root : String(valueFor(otherRoot, scope, representation.root));
  return withBody(answer, { [root]: change(representation.attributes) });
}

/** The answer with this body; an empty one has no Content-Type. */
function written(answer: HttpResponse, body: string): HttpResponse {
  return { ...(body === '' ? withoutHeaders(answer, 'Content-Type') : answer), body };
}

/** Changes the list of found addresses, or of group members' responses. */
function listed(part: 'found' | 'responses', bodyWith: (list: unknown) => unknown): ChangeAnswer {
  return ({ answer, scope }, term: Term) => {
    const list = at(part, scope);
    return Array.isArray(list) ? withBody(answer, bodyWith(valueFor(term, scope, list))) : answer;
  };
}

/** Changes lists of addresses, references and children, at any depth; attributes with lists have no namespace. */
function listing({ answer, scope }: ServedExchange, term: Term): HttpResponse {
  const value = at('success', scope) === true ? jsonIn(answer.body) : undefined;
  return value === undefined ? answer : withBody(answer, inLists(value, ''));

  function inLists(one: unknown, key: string): unknown {
    if (Array.isArray(one))
      return key === 'ch' || key === 'rrf' || key.includes(':') ? valueFor(term, scope, one) : one;
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, inLists(inner, name)]));
  }
}

/** Leaves out found addresses that do not match; `one` is the resource at an address, `one.parent` its parent. */
export function findingOnly(exchange: ServedExchange, selector: Selector): HttpResponse {
  const found = foundHere(exchange);
  return found === undefined ? exchange.answer : finding(exchange, matchingOf(found, exchange, selector));
}

/** Appends matching addresses that another request finds. */
export async function findingAlso(
  exchange: ServedExchange,
  instead: HttpRequest,
  selector: Selector,
): Promise<HttpResponse> {
  const found = foundHere(exchange);
  if (found === undefined) return exchange.answer;
  const wider = foundIn((await exchange.serve(instead)).body) ?? [];
  const others = wider.filter((address) => !found.includes(address));
  return finding(exchange, [...found, ...matchingOf(others, exchange, selector)]);
}

function foundHere({ answer, scope }: ServedExchange): readonly string[] | undefined {
  return at('success', scope) === true ? foundIn(answer.body) : undefined;
}

function finding({ answer }: ServedExchange, found: readonly string[]): HttpResponse {
  return withBody(answer, { 'm2m:uril': found });
}

function matchingOf(addresses: readonly string[], exchange: ServedExchange, selector: Selector): readonly string[] {
  const { core, scope, target } = exchange;
  const { before, after } = matchersOf(selector);
  const may = (resource: Resource) => allowedAt(resource, exchange);
  return addresses.filter((address) => {
    const resource = resourceAt(address, core);
    const one = resourceScope({ one: () => resource, 'one.parent': () => resource?.parent }, core, {
      'one.rights': () => resource && may(resource),
      'one.siblings.rights': () => [...(resource?.parent?.children?.values() ?? [])].map(may),
      'one.ancestors.rights': () => between(resource, target).map(may),
    });
    const whole = new Scope({}, (name) => one.find(name) ?? scope.find(name));
    return resource !== undefined && before(whole) && after(whole);
  });
}

/** The operations that the originator may do there. */
function allowedAt(resource: Resource, { core, scope }: ServedExchange): readonly string[] {
  const { access } = core.services;
  const request = { operation: 'retrieve', to: '', from: String(at('originator', scope)) } as const;
  return (['retrieve', 'discover'] as const).filter((one) => !access.required || access.allows(request, one, resource));
}

/** The resources between the two. */
function between(below: Resource | undefined, above: Resource | undefined): readonly Resource[] {
  const { parent } = below ?? {};
  return parent === undefined || parent === above ? [] : [parent, ...between(parent, above)];
}
