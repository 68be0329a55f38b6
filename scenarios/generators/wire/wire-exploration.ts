/** What an exploration by malformed bytes tells: while it goes on, and at its end. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import { Counts } from '../search/statistics.ts';
import type { ClassifiedCase } from './listed/wire-case.ts';

/** Bytes to which a target does not answer by an orderly refusal. */
export interface WireCounterexample extends FoundFacts {
  /** What is unusual about the bytes. */
  readonly what: string;
  /** As a line of ASCII: `GET / HTTP/1.1\r\n`. */
  readonly bytes: string;
  /** How many they were when they were found, and how many they are. */
  readonly length: { readonly found: number; readonly left: number };
  /** What came back, in a line. */
  readonly answer: string;
  /** A command line that sends them. */
  readonly curl: string;
  /** Whether it was done once more, and came out the same. */
  readonly confirmed: boolean;
  /** A scenario file that fails in the same way; where no requirement can be named, a text with the bytes and the command line. */
  readonly file: { readonly kind: 'scenario' | 'text'; readonly text: string };
}

export interface WireResult extends ExplorationResult {
  readonly dialect: Dialect;
  /** Requests that were tried, those of shrinking not counted. */
  readonly runs: number;
  /** Those that were not sent, since they could have changed what is not the exploration's. */
  readonly withheld: number;
  /** Sound requests that were sent cut at each byte in turn. */
  readonly split: number;
  readonly exercised: WireExercised;
  readonly counterexample?: WireCounterexample;
}

export type WireEvent =
  | Started
  | { readonly type: 'searched'; readonly runs: number }
  | { readonly type: 'failure found'; readonly says: string; readonly what: string }
  | { readonly type: 'shrunk'; readonly bytes: number; readonly attempts: number }
  | Finished<WireResult>;

/** What was sent and what came of it, and how often. */
interface WireExercised {
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

  sent({ part, what }: ClassifiedCase, requirement: string, { answer, failure }: Exchange): void {
    this.runs += 1;
    this.count('parts', part);
    this.count('malformations', what.replace(/ of \d+ levels/, ' of many levels'));
    this.count('answers', answer === undefined ? (failure?.kind ?? 'nothing') : String(answer.status));
    if (requirement !== 'gap') this.count('requirements', requirement);
  }
}
