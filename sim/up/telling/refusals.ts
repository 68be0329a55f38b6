/** What is told of refused requests: each kind at once, but not again and again where an application asks every second. */

import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import { watchedService } from '../../dialects/watched.ts';
import type { UpEvent } from './event.ts';
import { refusalOf } from './refusal.ts';

/** Milliseconds in which equal ones are told once, and so many different ones. */
const [window, most] = [10_000, 50];

export function refusalsTold(
  service: HttpService,
  cse: string,
  tell: (event: UpEvent) => void,
  now: () => number = Date.now,
): HttpService {
  const told = new Set<string>();
  let [begun, omitted] = [Number.NEGATIVE_INFINITY, 0];
  const answered = (answer: HttpResponse, _mark: undefined, request: HttpRequest): void => {
    if (answer.status < 400) return;
    if (now() - begun >= window) {
      begun = now();
      told.clear();
    }
    const refusal = refusalOf(request, answer);
    const key = JSON.stringify(refusal);
    if (told.has(key) || told.size >= most) {
      omitted += 1;
      return;
    }
    told.add(key);
    tell({ event: 'refused', cse, ...refusal, ...(omitted > 0 && { omitted }) });
    omitted = 0;
  };
  return watchedService(service, { came: () => undefined, answered });
}

/** `cselab up --verbose`: each request is told with its answer. */
export function requestsTold(service: HttpService, cse: string, tell: (event: UpEvent) => void): HttpService {
  return watchedService(service, {
    came: () => undefined,
    answered: (answer, _mark, request) => tell({ event: 'request', cse, ...refusalOf(request, answer) }),
  });
}
