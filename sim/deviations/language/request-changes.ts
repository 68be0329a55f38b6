/** Operators of rows that change requests. */

import { jsonIn } from '../../dialects/body.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import { type Attributes, noBytes, withAttributes, withJson, withPath, withQuery } from '../vocabulary/messages.ts';
import type { Arrival } from './exchange.ts';
import type { Pattern } from './pattern.ts';
import { at, type Scope } from './scope.ts';
import { changedBy, omitted, type Term, valueFor } from './term.ts';

/** Effects of a row, by operator. */
export type Does = Readonly<Record<string, unknown>>;

type ChangeRequest = (request: HttpRequest, argument: never, arrival: Arrival) => HttpRequest;

const requestChanges: ReadonlyMap<string, ChangeRequest> = new Map(
  Object.entries<ChangeRequest>({
    query: (request, terms: Attributes, { scope }) => asking(request, terms, scope),
    'query-only': ({ target, ...request }, terms: Attributes, { scope }) =>
      asking({ ...request, target: target.replace(/\?.*$/s, '') }, terms, scope),
    request: (request, terms: Attributes, { scope }) => withAttributes(request, (was) => changedBy(terms, was, scope)),
    ignore: (request, names: Pattern, { scope }) => withAttributes(request, (was) => omitted(was, names, scope)),
    'request-root': (request, root: string) => withAttributes(request, (was) => was, root),
    'request-body': (request, term: Term, { scope }) => withJson(request, valueFor(term, scope, jsonIn(request.body))),
    'request-headers': (request, terms: Attributes, { scope }) => changeHeaders(request, terms, scope),
    as: (request, who: Term, arrival) => ({
      ...request,
      headers: { ...request.headers, 'x-m2m-origin': originatorFor(who, arrival) },
    }),
    to: (request, path: Term, { scope }) => withPath(request, String(valueFor(path, scope, at('path', scope)))),
    method: (request, method: string) => ({
      ...request,
      method,
      ...(['GET', 'DELETE'].includes(method) && { body: noBytes }),
    }),
    'certificate-uris': (request, uris: readonly Term[], { scope }) => ({
      ...request,
      peer: { uris: uris.map((one) => String(valueFor(one, scope))) },
    }),
  }),
);

/** Headers or parameters with other values; `null`, or a term without a value, removes one. */
function withValues(
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

/** With other headers. Names are case-insensitive (RFC 9110, 5.1): present ones keep their spelling. */
export function changeHeaders<M extends Pick<HttpRequest, 'headers'>>(message: M, terms: Attributes, scope: Scope): M {
  const spellings = new Map(Object.keys(message.headers).map((name) => [name.toLowerCase(), name]));
  const own = Object.entries(terms).map(([name, term]) => [spellings.get(name.toLowerCase()) ?? name, term]);
  return { ...message, headers: withValues(message.headers, Object.fromEntries(own), scope) };
}

/** With other parameters, each with a single value. */
function asking(request: HttpRequest, terms: Attributes, scope: Scope): HttpRequest {
  return withQuery(request, (query) => {
    const words = withValues(Object.fromEntries(query), terms, scope);
    for (const name of Object.keys(terms)) {
      const { [name]: value } = words;
      if (value === undefined) query.delete(name);
      else query.set(name, value);
    }
  });
}

/** `administrator` has all rights. */
function originatorFor(who: Term, { core, scope }: Arrival): string {
  const { accessControl, cseId } = core.configuration;
  return who === 'administrator'
    ? (accessControl.admin ?? `/${cseId}`)
    : String(valueFor(who, scope, at('originator', scope)));
}

/** The request changed by all these operators. */
export function changedRequest(does: Does, arrival: Arrival): HttpRequest {
  return Object.entries(does).reduce(
    (request, [name, argument]) => requestChanges.get(name)?.(request, argument as never, arrival) ?? request,
    arrival.request,
  );
}

/** Names of operators, for the schema and to classify rows. */
export const requestOperators: readonly string[] = [...requestChanges.keys()];
