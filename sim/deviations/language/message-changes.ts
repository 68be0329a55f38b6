/** What rows make of requests and of answers. */

import { statusOf } from '../../core/status.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import {
  describedIn,
  echoOf,
  elsewhere,
  jsonBytes,
  jsonIn,
  labelled,
  noBytes,
  withBody,
  withoutHeaders,
  withQuery,
} from '../vocabulary/messages.ts';
import { type Arrival, type Exchange, exchangeOf } from './exchange.ts';
import { findingAlso, findingOnly } from './finding.ts';
import type { Pattern } from './pattern.ts';
import { type Attributes, at, isObject, type Scope } from './scope.ts';
import type { Selector } from './selector.ts';
import { changedBy, omitted, type Term, valueFor } from './term.ts';

/** What a row does, by the names of operators. */
export type Does = Readonly<Record<string, unknown>>;

type ChangeRequest = (request: HttpRequest, argument: never, arrival: Arrival) => HttpRequest;
type ChangeAnswer = (exchange: Exchange, argument: never) => HttpResponse | Promise<HttpResponse>;

const requestChanges: ReadonlyMap<string, ChangeRequest> = new Map(
  Object.entries<ChangeRequest>({
    ask: (request, terms: Attributes, { scope }) => asking(request, terms, scope),
    'ask-only': ({ target, ...request }, terms: Attributes, { scope }) =>
      asking({ ...request, target: target.replace(/\?.*$/s, '') }, terms, scope),
    give: (request, terms: Attributes, { scope }) => described(request, (was) => changedBy(terms, was, scope)),
    ignore: (request, names: Pattern, { scope }) => described(request, (was) => omitted(was, names, scope)),
    describe: (request, root: string) => described(request, (was) => was, root),
    send: (request, term: Term, { scope }) => withJson(request, valueFor(term, scope, jsonIn(request.body))),
    hear: (request, terms: Attributes, { scope }) => headed(request, terms, scope),
    as: (request, who: Term, arrival) => ({
      ...request,
      headers: { ...request.headers, 'x-m2m-origin': originatorFor(who, arrival) },
    }),
    go: (request, path: Term, { scope }) => elsewhere(request, String(valueFor(path, scope, at('path', scope)))),
    method: (request, method: string) => ({
      ...request,
      method,
      ...(['GET', 'DELETE'].includes(method) && { body: noBytes }),
    }),
    certified: (request, uris: readonly Term[], { scope }) => ({
      ...request,
      peer: { uris: uris.map((one) => String(valueFor(one, scope))) },
    }),
  }),
);

/** Headers or parameters with other values; `null` in place of one, and a term without one, take it away. */
function worded(
  was: Readonly<Record<string, string | undefined>>,
  terms: Attributes,
  scope: Scope,
): Record<string, string> {
  const words = new Map(Object.entries(was));
  for (const [name, term] of Object.entries(terms)) {
    const value = term === null ? undefined : valueFor(term, scope, words.get(name));
    words.set(name, value === undefined ? undefined : String(value));
  }
  return Object.fromEntries([...words].filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** With other headers. Their names have no case (RFC 9110, 5.1): what is there keeps its spelling. */
export function headed<M extends Pick<HttpRequest, 'headers'>>(message: M, terms: Attributes, scope: Scope): M {
  const spelled = new Map(Object.keys(message.headers).map((name) => [name.toLowerCase(), name]));
  const own = Object.entries(terms).map(([name, term]) => [spelled.get(name.toLowerCase()) ?? name, term]);
  return { ...message, headers: worded(message.headers, Object.fromEntries(own), scope) };
}

/** With other parameters, of which each has one value then. */
function asking(request: HttpRequest, terms: Attributes, scope: Scope): HttpRequest {
  return withQuery(request, (query) => {
    const words = worded(Object.fromEntries(query), terms, scope);
    for (const name of Object.keys(terms)) {
      const { [name]: value } = words;
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
  });
}

interface Bodied {
  readonly body?: HttpRequest['body'] | string;
}

/** With this value in its body, as text where it is no bytes. */
export function withJson<R extends Bodied>(request: R, value: unknown): R {
  return { ...request, body: request.body instanceof Uint8Array ? jsonBytes(value) : JSON.stringify(value) };
}

/** With other attributes of what it describes, or another root. */
export function described<R extends Bodied>(request: R, change: (was: Attributes) => Attributes, root?: string): R {
  const is = describedIn(request.body ?? '');
  return is === undefined ? request : withJson(request, { [root ?? is.root]: change(is.attributes) });
}

/** `administrator` may do everything. */
function originatorFor(who: Term, { core, scope }: Arrival): string {
  const { accessControl, cseId } = core.configuration;
  return who === 'administrator'
    ? (accessControl.admin ?? `/${cseId}`)
    : String(valueFor(who, scope, at('from', scope)));
}

/** The request with all that these operators make of it. */
export function changedRequest(does: Does, arrival: Arrival): HttpRequest {
  return Object.entries(does).reduce(
    (request, [name, argument]) => requestChanges.get(name)?.(request, argument as never, arrival) ?? request,
    arrival.request,
  );
}

const answerChanges: ReadonlyMap<string, ChangeAnswer> = new Map(
  Object.entries<ChangeAnswer>({
    status: ({ answer }, status: number) => ({ ...answer, status }),
    code: ({ answer, scope }, term: Term) => coded(answer, Number(valueFor(term, scope))),
    headers: ({ answer, scope }, terms: Attributes) => headed(answer, terms, scope),
    show: (exchange, terms: Attributes) => showing(exchange, (was) => changedBy(terms, was, exchange.scope)),
    drop: (exchange, names: Pattern) => showing(exchange, (was) => omitted(was, names, exchange.scope)),
    root: (exchange, root: Term) => showing(exchange, (was) => was, root),
    body: ({ answer, scope }, term: Term) => withBody(answer, valueFor(term, scope, jsonIn(answer.body))),
    write: ({ answer, scope }, term: Term) => written(answer, String(valueFor(term, scope, answer.body))),
    found: listed('found', (found) => ({ 'm2m:uril': found })),
    'find-only': findingOnly,
    'find-also': (exchange, { only = {}, ...does }: Does & { readonly only?: Selector }) =>
      findingAlso(exchange, changedRequest(does, exchange), only),
    lists: listing,
    responses: listed('responses', (responses) => ({ 'm2m:agr': { 'm2m:rsp': responses } })),
  }),
);

/** The answer with all that these operators make of it. */
export async function changedAnswer(does: Does, exchange: Exchange): Promise<HttpResponse> {
  let changed = exchange;
  for (const [name, argument] of Object.entries(does)) {
    const change = answerChanges.get(name);
    if (change !== undefined) changed = exchangeOf(changed, await change(changed, argument as never));
  }
  return changed.answer;
}

/** Names of operators, for the schema and to know what a row has. */
export const requestOperators: readonly string[] = [...requestChanges.keys()];
export const answerOperators: readonly string[] = [...answerChanges.keys()];

export function statusFor(code: number) {
  return statusOf(code, code < 3000 ? 200 : code < 5000 ? 400 : 500);
}

const coded = (answer: HttpResponse, code: number) =>
  labelled({ ...answer, status: statusFor(code).http }, { 'X-M2M-RSC': String(code) });

/** Refused without being served, as the reference CSE words it. */
export function refusal(arrival: Arrival, code: number): HttpResponse {
  const answer = labelled(pretended(arrival, code), { 'Content-Type': 'application/json' });
  return withBody(answer, { 'm2m:dbg': 'Refused.' });
}

/** A success without content, of a request that was not served. */
export function pretended({ request }: Arrival, code: number): HttpResponse {
  return { status: statusFor(code).http, headers: { 'X-M2M-RSC': String(code), ...echoOf(request) }, body: '' };
}

function showing(exchange: Exchange, change: (was: Attributes) => Attributes, otherRoot?: Term): HttpResponse {
  const { answer, scope } = exchange;
  const shown = at('done', scope) === true ? describedIn(answer.body) : undefined;
  if (shown === undefined) return answer;
  const root = otherRoot === undefined ? shown.root : String(valueFor(otherRoot, scope, shown.root));
  return withBody(answer, { [root]: change(shown.attributes) });
}

/** A body as it is written; an empty one has no label. */
function written(answer: HttpResponse, body: string): HttpResponse {
  return { ...(body === '' ? withoutHeaders(answer, 'Content-Type') : answer), body };
}

/** Another list of addresses that were found, or of answers of the members of a group. */
function listed(part: 'found' | 'responses', bodyWith: (list: unknown) => unknown): ChangeAnswer {
  return ({ answer, scope }, term: Term) => {
    const list = at(part, scope);
    return Array.isArray(list) ? withBody(answer, bodyWith(valueFor(term, scope, list))) : answer;
  };
}

/** Other lists of addresses, of references and of children, at any depth; lists of attributes have no namespace. */
function listing({ answer, scope }: Exchange, term: Term): HttpResponse {
  const value = at('done', scope) === true ? jsonIn(answer.body) : undefined;
  return value === undefined ? answer : withBody(answer, inLists(value, ''));

  function inLists(one: unknown, key: string): unknown {
    if (Array.isArray(one))
      return key === 'ch' || key === 'rrf' || key.includes(':') ? valueFor(term, scope, one) : one;
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, inLists(inner, name)]));
  }
}
