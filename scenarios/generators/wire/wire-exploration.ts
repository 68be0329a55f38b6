/** What an exploration by malformed bytes reports: its events and its result. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import { Counts, type Numbers } from '../search/statistics.ts';
import type { ClassifiedCase } from './listed/wire-case.ts';

/** Bytes that a target does not refuse in order. */
export interface WireCounterexample extends FoundFacts {
  /** What is unusual about the bytes. */
  readonly what: string;
  /** As a line of ASCII: `GET / HTTP/1.1\r\n`. */
  readonly bytes: string;
  /** Number of bytes as found, and after shrinking. */
  readonly length: { readonly found: number; readonly left: number };
  /** The answer, in a line. */
  readonly answer: string;
  /** A command line that sends them. */
  readonly curl: string;
  /** Whether a second try came out the same. */
  readonly confirmed: boolean;
  /** A scenario file that fails in the same way; without a requirement, a text with the bytes and the command line. */
  readonly file: { readonly kind: 'scenario' | 'text'; readonly text: string };
}

export interface WireResult extends ExplorationResult {
  readonly dialect: Dialect;
  /** Requests that were tried, except those of shrinking. */
  readonly runs: number;
  /** Those not sent, since they could have changed resources of others. */
  readonly withheld: number;
  /** Sound requests sent cut at each byte in turn. */
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

/** How often: by unusual part of the request, by what is unusual, by status or what came instead, and by requirement on the answer. */
type WireExercised = Numbers<'parts' | 'malformations' | 'answers' | 'requirements'>;

/** Counts malformed requests by kind. */
export class WireStatistics extends Counts<keyof WireExercised> {
  runs = 0;
  /** Requests not sent, since they could have changed resources of others. */
  withheld = 0;
  /** Sound requests cut at every byte. */
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
