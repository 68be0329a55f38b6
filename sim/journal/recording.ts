/** Writes into a journal what comes to a CSE, and what it sends. */

import type { Scheduler } from '../clock.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { watchedSender, watchedService } from '../dialects/watched.ts';
import { RequestJournal } from './journal.ts';

/** The service, with a journal of what comes. What the binding itself refuses (malformed, too large) is not in it. */
export function recordedService(service: HttpService, journal: RequestJournal): HttpService {
  return watchedService(service, {
    came: (request) => journal.enter(request),
    answered: (answer, kept) => journal.settle(kept, answer),
  });
}

/** The sender, with a journal of what is sent. */
export function recordedSender(sender: Sender, journal: RequestJournal): Sender {
  return watchedSender(sender, {
    sent: ({ method, target, headers, body = '' }, url) => journal.enter({ method, target, headers, body }, url),
    answered: (answer, kept) =>
      journal.settle(kept, answer.bytes === undefined ? answer : { ...answer, body: answer.bytes }),
    failed: (problem, kept) => journal.settle(kept, undefined, problem),
  });
}

/** A journal of the latest 10,000 requests that are sent, however large, and what writes it. */
export function recorderOf(clock: Scheduler) {
  const journal = new RequestJournal({ clock, most: 10_000, mostBytes: Number.POSITIVE_INFINITY });
  return { journal, around: (sender: Sender) => recordedSender(sender, journal) };
}
