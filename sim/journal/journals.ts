/** Writes into journals what comes to a CSE, and what it sends. */
import type { HttpResponse, HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { type JournalOptions, RequestJournal } from './journal.ts';

export interface JournalsOptions extends JournalOptions {
  /** Hears of what the binding itself refuses (malformed, too large), which is in no journal. */
  readonly onRefused?: (reason: string) => void;
}

/** The two of one CSE. */
export class Journals {
  readonly requests: RequestJournal;
  readonly sent: RequestJournal;
  readonly #onRefused: (reason: string) => void;

  constructor({ onRefused = () => {}, ...options }: JournalsOptions) {
    this.#onRefused = onRefused;
    this.requests = new RequestJournal(options);
    this.sent = new RequestJournal(options);
  }

  around(service: HttpService): HttpService {
    const { requests } = this;
    return {
      refuse: (error) => {
        this.#onRefused(error.message);
        return service.refuse(error);
      },
      handle(request) {
        if (!requests.isRead) return service.handle(request);
        const entry = requests.enter(request);
        const settled = (answer: HttpResponse): HttpResponse => {
          requests.settle(entry, answer);
          return answer;
        };
        const answer = service.handle(request);
        return answer instanceof Promise ? answer.then(settled) : settled(answer);
      },
    };
  }

  aroundSender(sender: Sender): Sender {
    return recordedSender(sender, this.sent);
  }
}

/** The sender, with a journal of what is sent. */
export function recordedSender(sender: Sender, journal: RequestJournal): Sender {
  return {
    async send(url, request, signal) {
      if (!journal.isRead) return sender.send(url, request, signal);
      const { method, target, headers, body = '' } = request;
      const entry = journal.enter({ method, target, headers, body }, url);
      try {
        const answer = await sender.send(url, request, signal);
        journal.settle(entry, { ...answer, body: answer.bytes ?? answer.body });
        return answer;
      } catch (error) {
        journal.settle(entry, undefined, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  };
}
