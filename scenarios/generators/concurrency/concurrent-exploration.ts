/** What an exploration by several originators at the same time tells: while it goes on, and at its end. */
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import { type Exercised, Statistics } from '../search/statistics.ts';
import type { Program } from './action.ts';

/** One request of a history. */
export interface HistoryRow {
  /** `A`, `B` …; absent for what was asked while nobody else asked anything. */
  readonly originator?: string;
  readonly request: string;
  readonly answer: string;
  /** Spans of time in which it was under way, from 0: what has one in common with it was under way at the same moment. */
  readonly from: number;
  /** Absent where no answer came that tells what became of it. */
  readonly to?: number;
}

interface Size {
  readonly originators: number;
  readonly requests: number;
}

/** A history that no order of its requests explains. */
export interface UnexplainedHistory extends FoundFacts {
  readonly rows: readonly HistoryRow[];
  /** Index of the row whose answer is left over when as much as can be is explained, and the order of what is. */
  readonly leftOver: number;
  readonly order: readonly number[];
  readonly program: Program;
  /** Without the requests by which everything begins and is looked at in the end. */
  readonly size: { readonly found: Size; readonly left: Size };
  /** How often it was seen again when the program was repeated. */
  readonly seen: { readonly times: number; readonly of: number };
  /** All of this as YAML. */
  readonly data: string;
}

export interface ConcurrentResult extends ExplorationResult {
  readonly originators: number;
  /** Those of which it was too much to try all orders are neither explained nor a deviation. */
  readonly histories: { readonly tried: number; readonly explained: number; readonly undecided: number };
  /** Pairs of requests that were under way at the same moment. */
  readonly overlaps: number;
  /** Requests, without those of shrinking and cleaning up. */
  readonly steps: number;
  /** Those without an answer that tells what became of them. */
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
  /** Histories that some order explains, and those of which it was too much to try all orders. */
  explained = 0;
  undecided = 0;
  /** Pairs of requests that were under way at the same moment. */
  overlaps = 0;
  /** Requests without an answer that tells what became of them. */
  unanswered = 0;
}
