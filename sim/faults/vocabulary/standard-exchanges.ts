/** One request together with what it leads to and how it is answered, and what faults of the standard make of them. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../fault.ts';
import { type Asked, type Attributes, asked, isSuccess, resourceAtPath } from './asked.ts';
import { handling } from './blocks.ts';
import { codeOf, recoded, refused } from './changed-answers.ts';
import { withHeaders } from './changed-requests.ts';
import { type Described, describedIn } from './representations.ts';

/** A request that has come. */
export interface Arrival {
  readonly request: HttpRequest;
  readonly about: Asked;
  /** What the request describes. */
  readonly given: Described | undefined;
  /** Where the request leads; for a virtual resource, what it belongs to. */
  readonly addressed: Resource | undefined;
  readonly core: Cse;
  readonly serve: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
}

/** A request and its answer. */
export interface Exchange extends Arrival {
  readonly answer: HttpResponse;
  /** The response status code. */
  readonly code: number;
  /** What the answer shows. */
  readonly shown: Described | undefined;
}

export type When<T extends Arrival = Arrival> = (about: T) => boolean;

type Given = HttpResponse | undefined;

export function arrivalOf(request: HttpRequest, core: Cse, serve: Arrival['serve']): Arrival {
  const about = asked(request);
  return { request, about, given: describedIn(request.body), addressed: resourceAtPath(about.path, core), core, serve };
}

export function exchangeOf(arrival: Arrival, answer: HttpResponse): Exchange {
  return { ...arrival, answer, code: codeOf(answer), shown: describedIn(answer.body) };
}

/** Another answer than the one that is due; undefined leaves it as it is. */
export function afterwards(change: (exchange: Exchange) => Given | Promise<Given>): Wrap {
  return handling(async (request, service, core) => {
    const arrival = arrivalOf(request, core, (one) => service.handle(one));
    const answer = await service.handle(request);
    return (await change(exchangeOf(arrival, answer))) ?? answer;
  });
}

/** What is done in place of serving the request; undefined serves it. */
export function beforehand(change: (arrival: Arrival) => Given | Promise<Given>): Wrap {
  return handling(async (request, service, core) => {
    const serve = (one: HttpRequest) => service.handle(one);
    return (await change(arrivalOf(request, core, serve))) ?? service.handle(request);
  });
}

interface Refusal {
  readonly status: number;
  readonly code: number;
}

/** Another code for answers of success: what was asked for is done. */
export function answeredWith(status: number, code: number, when: When<Exchange>): Wrap {
  return afterwards((exchange) =>
    isSuccess(exchange.answer) && when(exchange) ? recoded(exchange.answer, status, code) : undefined,
  );
}

/** Another code for refusals with one code. */
export function refusedAs(instead: Refusal, usual: number, when: When<Exchange> = () => true): Wrap {
  return afterwards((exchange) =>
    exchange.code === usual && when(exchange) ? recoded(exchange.answer, instead.status, instead.code) : undefined,
  );
}

/** Refuses what is due to be done. */
export function rejecting({ status, code }: Refusal, when: When): Wrap {
  return beforehand((arrival) => (when(arrival) ? refused(status, code, arrival.request) : undefined));
}

/** What is refused with one code is asked again in another way. */
export function insteadOfRefusing(
  usual: number,
  when: When<Exchange>,
  instead: (exchange: Exchange) => HttpRequest,
): Wrap {
  return afterwards((exchange) =>
    exchange.code === usual && when(exchange) ? exchange.serve(instead(exchange)) : undefined,
  );
}

/** The request as if it came from somebody who may do everything. */
export function asAdministrator({ request, core }: Arrival): HttpRequest {
  const { accessControl, cseId } = core.configuration;
  return withHeaders(request, { 'x-m2m-origin': accessControl.admin ?? `/${cseId}` });
}

export function originatorOf({ request }: Arrival): string {
  return request.headers['x-m2m-origin'] ?? '';
}

export function without(attributes: Attributes, ...names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

const isVirtual = ({ about }: Arrival) => /\/(fopt(\/.*)?|pcu|la|ol|latest|oldest)$/.test(about.path);

/** A resource is to be made, of this kind where one is named, and not through the fan-out of a group. */
export const creating =
  (root?: string): When =>
  (arrival) =>
    arrival.about.method === 'POST' &&
    arrival.given !== undefined &&
    (root === undefined || arrival.given.root === root) &&
    !isVirtual(arrival);

const atResource =
  (method: string) =>
  (root?: string): When =>
  (arrival) =>
    arrival.about.method === method &&
    !isVirtual(arrival) &&
    arrival.addressed !== undefined &&
    (root === undefined || arrival.addressed.type.root === root);

export const reading = atResource('GET');
export const updating = atResource('PUT');
export const removing = atResource('DELETE');

/** Whether the request gives attributes with these names, at least. */
export const giving =
  (...names: readonly string[]): When =>
  ({ given }) =>
    given !== undefined && names.every((name) => given.attributes[name] !== undefined);
