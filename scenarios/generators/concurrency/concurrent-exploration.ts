/** What an exploration by concurrent originators reports: its events and its result. */
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import { type Exercised, Statistics } from '../search/statistics.ts';
import type { Program } from './action.ts';

/** One request of a history. */
export interface HistoryRow {
  /** `A`, `B` …; absent for requests sent alone. */
  readonly originator?: string;
  readonly request: string;
  readonly answer: string;
  /** Time spans in which it was under way, from 0: requests that share one were concurrent. */
  readonly from: number;
  /** Absent if no answer says what became of it. */
  readonly to?: number;
}

interface Size {
  readonly originators: number;
  readonly requests: number;
}

/** A history that no order of its requests explains. */
export interface UnexplainedHistory extends FoundFacts {
  readonly rows: readonly HistoryRow[];
  /** Index of the row whose answer the longest explained order leaves over, and that order. */
  readonly leftOver: number;
  readonly order: readonly number[];
  readonly program: Program;
  /** Without set-up and final reads. */
  readonly size: { readonly found: Size; readonly left: Size };
  /** How often it was seen again in repetitions. */
  readonly seen: { readonly times: number; readonly of: number };
  /** All of this as YAML. */
  readonly data: string;
}

export interface ConcurrentResult extends ExplorationResult {
  readonly originators: number;
  /** `undecided`: there were too many orders to try them all. */
  readonly histories: { readonly tried: number; readonly explained: number; readonly undecided: number };
  /** Pairs of concurrent requests. */
  readonly overlaps: number;
  /** Requests, except those of shrinking and clean-up. */
  readonly steps: number;
  /** Those without an answer that says what became of them. */
  readonly unanswered: number;
  readonly exercised: Exercised;
  readonly counterexample?: UnexplainedHistory;
}

export type ConcurrentEvent =
  | (Started & { readonly originators: number })
  | { readonly type: 'searched'; readonly histories: number; readonly steps: number }
  | { readonly type: 'failure found'; readonly requirement: string; readonly path: string; readonly requests: number }
  | { readonly type: 'shrunk'; readonly requests: number; readonly attempts: number }
  | Finished<ConcurrentResult>;

export class ConcurrentStatistics extends Statistics {
  /** Histories that some order explains, and those with too many orders to try. */
  explained = 0;
  undecided = 0;
  /** Pairs of concurrent requests. */
  overlaps = 0;
  /** Requests without an answer that says what became of them. */
  unanswered = 0;
}
