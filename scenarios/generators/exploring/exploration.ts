/** What an exploration reports: its events and its result. */
import type { Death } from '../../engine/results/run-context.ts';
import type { DeathEvent } from '../../engine/running/losses.ts';
import type { ExplorationResult, Finished, FoundFacts, Started } from '../search/campaign.ts';
import type { Exercised } from '../search/statistics.ts';
import type { AnyOperation } from '../sequences/language.ts';

/** A sequence whose last answer breaks a requirement, or whose last request kills the target (`cselab.target`). */
export interface Counterexample extends FoundFacts {
  /** As found, and after shrinking. */
  readonly operations: { readonly found: number; readonly left: readonly AnyOperation[] };
  /** Requests of the scenario. */
  readonly steps: readonly string[];
  /** What was expected, what came instead, and the last request as a command line. */
  readonly expected: string;
  readonly actual: string;
  readonly curl?: string;
  /** A scenario file that fails in the same way. */
  readonly scenario: string;
  /** Whether it failed once more as a scenario. */
  readonly confirmed: boolean;
}

export interface ExploreResult extends ExplorationResult {
  readonly sequences: number;
  /** Requests, except those of shrinking and clean-up. */
  readonly steps: number;
  /** Milliseconds spent on them. */
  readonly searched: number;
  readonly exercised: Exercised;
  readonly counterexample?: Counterexample;
  /** Each time that the target stopped answering at all; their `scenario` is a sequence, by its path. Absent for none. */
  readonly deaths?: readonly Death[];
}

export type ExploreEvent =
  | Started
  | DeathEvent
  | { readonly type: 'searched'; readonly sequences: number; readonly steps: number }
  | { readonly type: 'failure found'; readonly requirement: string; readonly path: string; readonly operations: number }
  | { readonly type: 'shrunk'; readonly operations: number; readonly attempts: number }
  | Finished<ExploreResult>;
