/** `cselab up --verbose`: each request is told with its answer. */
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { UpEvent } from './event.ts';
import { refusalOf } from './refusal.ts';

export function requestsTold(service: HttpService, cse: string, tell: (event: UpEvent) => void): HttpService {
  return watchedService(service, (request, answer) => {
    tell({ event: 'request', cse, ...refusalOf(request, answer) });
  });
}

/** `answered` hears of each request and its answer; it must not throw. */
export function watchedService(
  service: HttpService,
  answered: (request: HttpRequest, answer: HttpResponse) => void,
): HttpService {
  const seen = (request: HttpRequest, answer: HttpResponse): HttpResponse => {
    answered(request, answer);
    return answer;
  };
  return {
    refuse: (error) => service.refuse(error),
    handle(request) {
      const answer = service.handle(request);
      return answer instanceof Promise ? answer.then((late) => seen(request, late)) : seen(request, answer);
    },
  };
}
