import type { TargetChoice } from '../../checking/open-target.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { SafetyChoice } from '../../safety/run-safety.ts';

export interface ExploreOptions {
  readonly target: TargetChoice;
  /** Whether to try the target together with the backend at which it is registered: both get requests, also through each other. */
  readonly pair?: boolean;
  /** How the target speaks, and by which specification it is checked; `documented` when absent. */
  readonly dialect?: Dialect;
  /** Sequences; 200 when absent. */
  readonly runs?: number;
  /** Number of the first; 0 when absent. */
  readonly from?: number;
  /** Seed of the sequences; a random one when absent. */
  readonly seed?: number;
  /** Only the sequence at this path of the seed, as in a counterexample. */
  readonly path?: string;
  /** Milliseconds after which no new sequence begins. */
  readonly maxTime?: number;
  /** Sequences that shrinking tries; 500 when absent. */
  readonly shrinkAttempts?: number;
  /** Only these requirements, or those below these prefixes, are checked; a gap only if it is named. */
  readonly focus?: readonly string[];
  /** These, and those below these prefixes, are not: known deviations, past which the search goes on. */
  readonly except?: readonly string[];
  /** `gap`: also demands what the reference CSE does where the specification leaves it open. Absent: `documented`. */
  readonly level?: 'documented' | 'gap';
  /** Concurrent sequences; 8 when absent, 1 in process. */
  readonly jobs?: number;
  /** Processes that search, each with a reference CSE of its own; 1 when absent. */
  readonly processes?: number;
  /** Milliseconds for each request; 12,000 when absent. */
  readonly timeout?: number;
  readonly safety?: SafetyChoice;
  /** Restarts a target that died and stays dead for `waitForTarget`; then it goes on. */
  readonly restart?: () => Promise<void>;
  /** What is masked in all that is reported. */
  readonly secrets?: readonly string[];
  /** Ends the search, or the shrinking: the best counterexample so far is reported. */
  readonly signal?: AbortSignal;
}

/** Defaults for every exploration of sequences or programs. */
export const usual = { runs: 200, jobs: 8, timeout: 12_000, shrinkAttempts: 500 };
