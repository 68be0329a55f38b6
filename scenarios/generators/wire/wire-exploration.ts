/** What an exploration by malformed bytes tells: while it goes on, and at its end. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { ExplorationResult, Finished, FoundFacts, Started } from '../campaign.ts';
import type { WireExercised } from './wire-statistics.ts';

/** Bytes to which a target does not answer by an orderly refusal. */
export interface WireCounterexample extends Omit<FoundFacts, 'requirement' | 'says'> {
  /** `gap` where no requirement says anything of it. */
  readonly requirement: string;
  /** What is not in order. */
  readonly says: string;
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
