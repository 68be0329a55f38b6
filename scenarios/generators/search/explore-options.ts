import type { TargetChoice } from '../../checking/open-target.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { SafetyChoice } from '../../safety/run-safety.ts';

export interface ExploreOptions {
  readonly target: TargetChoice;
  /** Whether the target is tried together with the backend at which it is registered; requests go to both, and through each to the other. */
  readonly pair?: boolean;
  /** How the target speaks, and which specification judges it; `documented` when absent. */
  readonly dialect?: Dialect;
  /** Sequences; 200 when absent. */
  readonly runs?: number;
  /** Number of the first; 0 when absent. */
  readonly from?: number;
  /** What the sequences are made from; a random one when absent. */
  readonly seed?: number;
  /** Only the sequence at this path of the seed, as a counterexample tells it. */
  readonly path?: string;
  /** Milliseconds after which no new sequence begins. */
  readonly maxTime?: number;
  /** Sequences that shrinking tries; 500 when absent. */
  readonly shrinkAttempts?: number;
  /** Only these requirements, or those below these prefixes, are judged; a gap is, where it is named. */
  readonly focus?: readonly string[];
  /** These, and those below these prefixes, are not: what is known of a target, so that it goes on past that. */
  readonly except?: readonly string[];
  /** `gap`: what the reference CSE does where the specification leaves it open is demanded as well. Absent: `documented`. */
  readonly level?: 'documented' | 'gap';
  /** Sequences at the same time; 8 when absent, 1 in process. */
  readonly jobs?: number;
  /** Processes that search, each with a reference CSE of its own; 1 when absent. */
  readonly processes?: number;
  /** Milliseconds for each request; 12,000 when absent. */
  readonly timeout?: number;
  readonly safety?: SafetyChoice;
  /** Brings a target back that died and stays dead for `waitForTarget`; then it goes on. */
  readonly restart?: () => Promise<void>;
  /** What is masked in everything that is told. */
  readonly secrets?: readonly string[];
  /** Ends the search, or the shrinking: the best counterexample so far is told. */
  readonly signal?: AbortSignal;
}

/** As they are for every exploration of sequences or programs. */
export const usual = { runs: 200, jobs: 8, timeout: 12_000, shrinkAttempts: 500 };
