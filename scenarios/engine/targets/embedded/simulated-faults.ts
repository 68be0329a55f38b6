import { type Deviation, writtenDeviations } from '../../../../sim/index.ts';

/** What the harness is told of a deviation: never what it does, only what it breaks. */
export type FaultFacts = Deviation;

/** Everything that the simulator can do wrong on purpose. */
export const simulatedFaults: () => readonly FaultFacts[] = writtenDeviations;
