/** Writes into a journal what comes to a CSE, and what it sends. */
import type { HttpService } from '../dialects/http-message.ts';
import type { OutgoingAnswer, Sender } from '../dialects/outgoing-message.ts';
import type { RequestJournal } from './journal.ts';

/** The service, with a journal of what comes. What the binding itself refuses (malformed, too large) is not in it. */
export function recordedService(service: HttpService, journal: RequestJournal): HttpService {
  return {
    refuse: (error) => service.refuse(error),
    handle(request) {
      const kept = journal.enter(request);
      const answer = service.handle(request);
      if (answer instanceof Promise) {
        return answer.then((late) => {
          journal.settle(kept, late);
          return late;
        });
      }
      journal.settle(kept, answer);
      return answer;
    },
  };
}

/** The sender, with a journal of what is sent. */
export function recordedSender(sender: Sender, journal: RequestJournal): Sender {
  return {
    async send(baseUrl, request, signal): Promise<OutgoingAnswer> {
      const { method, target, headers, body = '' } = request;
      const kept = journal.enter({ method, target, headers, body }, baseUrl);
      try {
        const answer = await sender.send(baseUrl, request, signal);
        journal.settle(kept, answer.bytes === undefined ? answer : { ...answer, body: answer.bytes });
        return answer;
      } catch (error) {
        journal.settle(kept, undefined, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
}
