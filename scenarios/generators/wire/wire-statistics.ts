import type { Exchange } from '../../engine/messages/exchange.ts';
import { Counts } from '../statistics.ts';
import type { SortedCase } from './wire-case.ts';

/** What was sent and what came of it, and how often. */
export interface WireExercised {
  /** By the part of the request that is unusual. */
  readonly parts: Readonly<Record<string, number>>;
  /** By what is unusual about it. */
  readonly malformations: Readonly<Record<string, number>>;
  /** By status, or by what came instead of an answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** By the requirement that says what becomes of it. */
  readonly requirements: Readonly<Record<string, number>>;
}

/** Counts malformed requests by their kinds. */
export class WireStatistics extends Counts<keyof WireExercised> {
  runs = 0;
  /** What was not sent, since it could have changed what is not the exploration's. */
  withheld = 0;
  /** Sound requests that were cut at every byte. */
  split = 0;

  constructor() {
    super(['parts', 'malformations', 'answers', 'requirements']);
  }

  sent({ part, what }: SortedCase, requirement: string, { answer, failure }: Exchange): void {
    this.runs += 1;
    this.count('parts', part);
    this.count('malformations', what.replace(/ of \d+ levels/, ' of many levels'));
    this.count('answers', answer === undefined ? (failure?.kind ?? 'nothing') : String(answer.status));
    if (requirement !== 'gap') this.count('requirements', requirement);
  }
}
