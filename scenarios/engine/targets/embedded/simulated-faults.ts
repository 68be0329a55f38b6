import { writtenDeviations } from '../../../../sim/index.ts';

/** What the harness is told of a fault: never what it does, only what it breaks. */
export interface FaultFacts {
  readonly id: string;
  /** The requirement that a CSE with this fault does not keep. */
  readonly violates: string;
  /** Requirements that it cannot help but break as well. */
  readonly also?: readonly string[];
  /** Why no client can see it, in a sentence: it is no deviation, and is kept to say so. */
  readonly equivalent?: string;
  /** No scenario is expected to see it: it is left to generators. */
  readonly sequencesOnly?: true;
  /** What it does, as a sentence. */
  readonly says: string;
}

/** Everything that the simulator can do wrong on purpose. */
export const simulatedFaults: () => readonly FaultFacts[] = writtenDeviations;
