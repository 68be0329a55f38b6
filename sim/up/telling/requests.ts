/** `cselab up --verbose`: each request is told with its answer. */
import type { HttpRequest, HttpResponse, HttpService } from '../../dialects/http-message.ts';
import type { UpEvent } from './event.ts';

export function toldService(service: HttpService, cse: string, tell: (event: UpEvent) => void): HttpService {
  const answered = ({ method, target }: HttpRequest, answer: HttpResponse): HttpResponse => {
    const { status, headers } = answer;
    const rsc = Number(headers['X-M2M-RSC'] ?? headers['x-m2m-rsc'] ?? 0);
    tell({ event: 'request', cse, method, target, status, ...(rsc > 0 && { rsc }) });
    return answer;
  };
  return {
    refuse: (error) => service.refuse(error),
    handle(request) {
      const answer = service.handle(request);
      return answer instanceof Promise ? answer.then((late) => answered(request, late)) : answered(request, answer);
    },
  };
}
