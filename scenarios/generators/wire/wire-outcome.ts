import type { Exit } from '../../engine/result.ts';
import { exitOfFound } from '../outcome.ts';
import type { Hindrance } from './place.ts';
import type { WireCounterexample } from './wire-exploration.ts';
import type { WireStatistics } from './wire-statistics.ts';

interface Ended {
  readonly statistics: WireStatistics;
  readonly interrupted: boolean;
  readonly counterexample: WireCounterexample | undefined;
  /** Why the target cannot be explored, or not any more. */
  readonly hindrance: Hindrance | undefined;
}

/** The exit code of an exploration and its reason, as a run of scenarios has them. */
export function exitOf({ statistics, interrupted, counterexample, hindrance }: Ended): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) {
    const { requirement, says, confirmed } = counterexample;
    return requirement === 'gap' && confirmed ? { code: 1, reason: says } : exitOfFound(counterexample);
  }
  if (hindrance?.lost) return { code: 3, reason: `the target could not be reached: ${hindrance.reason}` };
  if (hindrance !== undefined) return { code: 4, reason: `the target cannot be explored: ${hindrance.reason}` };
  if (statistics.runs === 0) return { code: 4, reason: 'nothing was judged' };
  return { code: 0, reason: `an orderly answer to each of ${statistics.runs} malformed or odd requests` };
}
