/** What is to be judged, and what was seen: what goes to a worker and what comes back. All of it is data. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import type { Violation } from './tables.ts';

/** A simulator with one fault, and what is run against it. */
export interface Mutant {
  readonly fault: FaultFacts;
  /** Of what the fault violates. */
  readonly dialect: Dialect;
  /** Absolute paths of the scenario files. */
  readonly files: readonly string[];
}

/** What the harness saw of a mutant. */
export interface Sight {
  /** By cause, the leading requirement of each before the others. */
  readonly violations: readonly Violation[];
  /** The leading requirement of each cause. */
  readonly causes: readonly string[];
  /** Scenarios that were run. */
  readonly scenarios: number;
  /** What the harness could not do, as sentences. */
  readonly troubles: readonly string[];
  /** Milliseconds. */
  readonly took: number;
}
