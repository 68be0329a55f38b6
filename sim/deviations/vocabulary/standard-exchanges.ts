/** One request together with what it leads to and how it is answered, and what faults of the standard make of them. */
import type { Cse } from '../../core/cse.ts';
import type { Resource } from '../../core/resource.ts';
import type { HttpRequest, HttpResponse } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { type Asked, asked, resourceAtPath } from './asked.ts';
import { handling } from './blocks.ts';
import { codeOf } from './changed-answers.ts';
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

/** The request as if it came from somebody who may do everything. */
export function asAdministrator({ request, core }: Arrival): HttpRequest {
  const { accessControl, cseId } = core.configuration;
  return withHeaders(request, { 'x-m2m-origin': accessControl.admin ?? `/${cseId}` });
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
