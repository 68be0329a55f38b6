/** What an exploration tells: while it goes on, and at its end. */
import type { Death } from '../../engine/results/run-context.ts';
import type { DeathEvent } from '../../engine/running/deaths.ts';
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import type { Exercised } from '../search/statistics.ts';
import type { AnyOperation } from '../sequences/language.ts';

/** A sequence whose last answer a requirement does not permit; or whose last request kills the target, as `cselab.target`. */
export interface Counterexample extends FoundFacts {
  /** As they were found, and as they are after shrinking. */
  readonly operations: { readonly found: number; readonly left: readonly AnyOperation[] };
  /** Requests of the scenario. */
  readonly steps: readonly string[];
  /** What was asked, what came instead, and the request of the last step as a command line. */
  readonly expected: string;
  readonly actual: string;
  readonly curl?: string;
  /** A scenario file that fails in the same way. */
  readonly scenario: string;
  /** Whether it was run once more as a scenario, and failed. */
  readonly confirmed: boolean;
}

export interface ExploreResult extends ExplorationResult {
  readonly sequences: number;
  /** Requests, without those of shrinking and cleaning up. */
  readonly steps: number;
  /** Milliseconds that went into them. */
  readonly searched: number;
  readonly exercised: Exercised;
  readonly counterexample?: Counterexample;
  /** The target stopped answering anything at all, so many times; a `scenario` of these is a sequence by its path. Absent for none. */
  readonly deaths?: readonly Death[];
}

export type ExploreEvent =
  | Started
  | DeathEvent
  | { readonly type: 'searched'; readonly sequences: number; readonly steps: number }
  | { readonly type: 'failure found'; readonly requirement: string; readonly path: string; readonly operations: number }
  | { readonly type: 'shrunk'; readonly operations: number; readonly attempts: number }
  | Finished<ExploreResult>;
