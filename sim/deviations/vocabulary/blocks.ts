/** What deviations are made of: each takes what to change and gives what wraps a service. */
import type { Cse } from '../../core/cse.ts';
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { Wrap } from '../deviation.ts';
import { type Asked, asked, isSuccess } from './asked.ts';

/** Everything about one request goes through `handle`. */
export function handling(
  handle: (request: HttpRequest, service: HttpService, core: Cse) => HttpResponse | Promise<HttpResponse>,
): Wrap {
  return (service, core) => ({
    handle: (request) => handle(request, service, core),
    refuse: (error) => service.refuse(error),
  });
}

/** Changes each answer; undefined leaves it as it is. */
export function changingAnswers(
  change: (answer: HttpResponse, about: Asked, core: Cse) => HttpResponse | undefined,
): Wrap {
  return handling(async (request, service, core) => {
    const answer = await service.handle(request);
    return change(answer, asked(request), core) ?? answer;
  });
}

/** Changes what stands under one of these names, at any depth of a successful answer. */
export function changingValues(names: readonly string[], change: (value: unknown) => unknown): Wrap {
  return changingAnswers((answer) => {
    const { body } = answer;
    if (!isSuccess(answer) || typeof body !== 'string' || body === '') return undefined;
    const value = JSON.parse(body, (name, inner) => (names.includes(name) ? change(inner) : inner));
    return { ...answer, body: JSON.stringify(value) };
  });
}

/** The request for another path; its query stays. */
export function elsewhere(request: HttpRequest, path: string): HttpRequest {
  const mark = request.target.indexOf('?');
  return { ...request, target: mark < 0 ? path : path + request.target.slice(mark) };
}

/** The request with other query parameters; its path stays. */
export function withQuery(request: HttpRequest, change: (query: URLSearchParams) => void): HttpRequest {
  const mark = request.target.indexOf('?');
  const path = mark < 0 ? request.target : request.target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : request.target.slice(mark + 1));
  change(query);
  return { ...request, target: `${path}?${query}` };
}
