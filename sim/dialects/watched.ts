/** Somebody who looks on while requests come and are sent; what is watched goes on as it would. */
import type { HttpRequest, HttpResponse, HttpService } from './http-message.ts';
import type { OutgoingAnswer, OutgoingRequest, Sender } from './outgoing-message.ts';

/** Neither may throw. */
interface ServiceWatcher<Mark> {
  /** A request has come; the mark is what it is known by. */
  came(request: HttpRequest): Mark;
  /** In the turn of the request, unless the answer is late. */
  answered(answer: HttpResponse, mark: Mark, request: HttpRequest): void;
}

export function watchedService<Mark>(service: HttpService, watcher: ServiceWatcher<Mark>): HttpService {
  return {
    refuse: (error) => service.refuse(error),
    handle(request) {
      const mark = watcher.came(request);
      const answer = service.handle(request);
      if (answer instanceof Promise) {
        return answer.then((late) => {
          watcher.answered(late, mark, request);
          return late;
        });
      }
      watcher.answered(answer, mark, request);
      return answer;
    },
  };
}

/** Neither may throw. */
interface SenderWatcher<Mark> {
  sent(request: OutgoingRequest, baseUrl: string): Mark;
  answered(answer: OutgoingAnswer, mark: Mark): void;
  /** Nobody has answered, for a reason in one sentence. */
  failed(problem: string, mark: Mark, request: OutgoingRequest): void;
}

export function watchedSender<Mark>(sender: Sender, watcher: SenderWatcher<Mark>): Sender {
  return {
    async send(baseUrl, request, signal) {
      const mark = watcher.sent(request, baseUrl);
      try {
        const answer = await sender.send(baseUrl, request, signal);
        watcher.answered(answer, mark);
        return answer;
      } catch (error) {
        watcher.failed(error instanceof Error ? error.message : String(error), mark, request);
        throw error;
      }
    },
  };
}
