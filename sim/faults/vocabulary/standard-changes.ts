/** What faults of the standard are made of: each takes which requests it is about, and gives what wraps a service. */
import type { ResponseStatus } from '../../core/status.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling } from './blocks.ts';
import { noBytes } from './bytes.ts';
import { codeOf, recoded, refused, withBody } from './changed-answers.ts';
import { describedIn } from './representations.ts';
import { Exchange, type Which } from './standard-wanted.ts';

/** Changes the answers to these requests; undefined leaves one as it is. */
export function answering(
  which: Which,
  change: (answer: HttpResponse, exchange: Exchange) => HttpResponse | undefined,
): Wrap {
  return handling(async (request, service, core) => {
    const exchange = new Exchange(request, core);
    if (!which(exchange)) return service.handle(request);
    const answer = await service.handle(request);
    return change(answer, exchange) ?? answer;
  });
}

/** Changes, in place, the attributes in the successful answers to these requests. */
export function amending(which: Which, change: (attributes: Attributes, exchange: Exchange) => void): Wrap {
  return answering(which, (answer, exchange) => {
    const shown = isSuccess(answer) ? describedIn(answer.body) : undefined;
    if (shown === undefined) return undefined;
    change(shown.attributes, exchange);
    return withBody(answer, { [shown.root]: shown.attributes });
  });
}

/** The successful answers to these requests show this attribute with another value; undefined leaves it out. */
export function showingAs(which: Which, name: string, value: (was: unknown, attributes: Attributes) => unknown): Wrap {
  return amending(which, (attributes) => {
    attributes[name] = value(attributes[name], attributes);
  });
}

/** Refuses these requests. */
export function refusingThose(which: Which, { code, http }: ResponseStatus): Wrap {
  return handling((request, service, core) =>
    which(new Exchange(request, core)) ? refused(http, code, request) : service.handle(request),
  );
}

/** Where these requests are answered with the one response status code, they are with the other one and its HTTP status. */
export function codingAs(which: Which, from: ResponseStatus, to: ResponseStatus): Wrap {
  return answering(which, (answer) => (codeOf(answer) === from.code ? recoded(answer, to.http, to.code) : undefined));
}

/** What the same originator reads at an address. */
export function readingOf(request: HttpRequest, target: string): HttpRequest {
  return { ...request, method: 'GET', target, body: noBytes };
}

/** The answer to a request that was not served: a success without content. */
export function done(request: HttpRequest, { code, http }: ResponseStatus): HttpResponse {
  const { 'Content-Type': _label, ...headers } = refused(http, code, request).headers;
  return { status: http, headers, body: '' };
}
