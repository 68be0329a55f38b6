/** What faults of the standard are made of: each takes which requests it is about, and gives what wraps a service. */
import { type ResponseStatus, statusOf } from '../../core/status.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Attributes, isSuccess } from './asked.ts';
import { handling, withQuery } from './blocks.ts';
import { noBytes } from './bytes.ts';
import { codeOf, recoded, refused, withBody } from './changed-answers.ts';
import { describing } from './changed-requests.ts';
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

/** Changes these requests before they are served; undefined leaves one as it is. */
export function rewriting(which: Which, change: (exchange: Exchange) => HttpRequest | undefined): Wrap {
  return handling((request, service, core) => {
    const exchange = new Exchange(request, core);
    return service.handle((which(exchange) ? change(exchange) : undefined) ?? request);
  });
}

/** Serves these requests with another query. */
function requerying(which: Which, change: (query: URLSearchParams) => void): Wrap {
  return rewriting(which, ({ request }) => withQuery(request, change));
}

/** Serves these requests as if this parameter had another value, or were not there. */
export function asIf(which: Which, name: string, value?: string): Wrap {
  return requerying(which, (query) => (value === undefined ? query.delete(name) : query.set(name, value)));
}

/** Serves these requests with other attributes of the resource that they describe; undefined in place of one takes it away. */
export function describingOtherwise(which: Which, change: (attributes: Attributes) => Attributes): Wrap {
  return rewriting(which, ({ request, sent }) =>
    sent === undefined ? undefined : describing(request, { ...sent, attributes: change(sent.attributes) }),
  );
}

/** Serves these requests as if they did not name this attribute. */
export function overlooking(which: Which, name: string): Wrap {
  return describingOtherwise(which, (attributes) => ({ ...attributes, [name]: undefined }));
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

/** The successful answers to these requests lack this attribute. */
export const lacking = (which: Which, name: string): Wrap => showingAs(which, name, () => undefined);

/** The successful answers to these requests have another root. */
export function rooting(which: Which, root: string): Wrap {
  return answering(which, (answer) => {
    const shown = isSuccess(answer) ? describedIn(answer.body) : undefined;
    return shown && withBody(answer, { [root]: shown.attributes });
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

/** Where these requests are refused, they are refused with this. */
export function refusingWith(which: Which, { code, http }: ResponseStatus): Wrap {
  return answering(which, (answer) => (isSuccess(answer) ? undefined : recoded(answer, http, code)));
}

/** Answers these requests as the CSE does, which refuses them, and does all the same what they ask for in other words. */
export function doingAllTheSame(which: Which, change: (request: HttpRequest) => HttpRequest): Wrap {
  return handling(async (request, service, core) => {
    const isMeant = which(new Exchange(request, core));
    const answer = await service.handle(request);
    if (isMeant) await service.handle(change(request));
    return answer;
  });
}

const criteria = ['cra', 'crb', 'lbl', 'ms', 'us'];

/** A query with filter criteria. */
export const hasCriteria: Which = ({ query }) => criteria.some((name) => query.has(name));

/** The request without filter criteria, and without what says how they are used. */
export function withoutCriteria(request: HttpRequest): HttpRequest {
  return withQuery(request, (query) => {
    for (const name of ['fu', ...criteria]) query.delete(name);
  });
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

/** Answers these requests as done, without a body, and does nothing. */
export function pretending(which: Which, status: ResponseStatus): Wrap {
  return handling((request, service, core) =>
    which(new Exchange(request, core)) ? done(request, status) : service.handle(request),
  );
}

/** A code that no step of the standard gives to what is wrong with a request. */
export const failure: ResponseStatus = statusOf(5000, 500);
