/** Records in a journal what a CSE receives or sends. */
import type { HttpResponse, HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { RequestJournal } from './journal.ts';

/** The service, recording its requests. `onRefused` receives refusals by the binding itself, which are in no journal. */
export function recordedService(
  service: HttpService,
  journal: RequestJournal,
  onRefused: (reason: string) => void,
): HttpService {
  return {
    refuse(error) {
      onRefused(error.message);
      return service.refuse(error);
    },
    handle(request) {
      if (!journal.hasReaders) return service.handle(request);
      const entry = journal.enter(request);
      const settled = (answer: HttpResponse): HttpResponse => {
        journal.settle(entry, answer);
        return answer;
      };
      const answer = service.handle(request);
      return answer instanceof Promise ? answer.then(settled) : settled(answer);
    },
  };
}

/** The sender, recording its requests. */
export function recordedSender(sender: Sender, journal: RequestJournal): Sender {
  return {
    async send(url, request, signal) {
      if (!journal.hasReaders) return sender.send(url, request, signal);
      const { method, target, headers, body = '' } = request;
      const entry = journal.enter({ method, target, headers, body }, url);
      try {
        const answer = await sender.send(url, request, signal);
        journal.settle(entry, answer);
        return answer;
      } catch (error) {
        journal.settle(entry, undefined, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
}
