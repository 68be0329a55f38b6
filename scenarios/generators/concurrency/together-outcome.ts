import type { Exit } from '../../engine/result.ts';
import { exitOfFound } from '../outcome.ts';
import type { TogetherResult } from './together-exploration.ts';

interface Ended extends Pick<TogetherResult, 'histories' | 'overlaps'> {
  readonly interrupted: boolean;
  readonly counterexample: TogetherResult['counterexample'] | undefined;
  /** Why the target cannot be asked any more. */
  readonly lost: string | undefined;
}

/** The exit code of an exploration by several originators, and its reason. */
export function exitOfTogether({ histories, overlaps, interrupted, counterexample, lost }: Ended): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) {
    const { requirement, seen } = counterexample;
    return exitOfFound({ requirement, confirmed: seen.times > 0 });
  }
  if (lost !== undefined) return { code: 3, reason: `the target could not be reached: ${lost}` };
  const { tried, explained, undecided } = histories;
  if (overlaps === 0) return { code: 4, reason: 'no two requests were ever under way at the same moment' };
  if (explained === 0) return { code: 4, reason: `none of ${tried} histories could be decided` };
  const rest = undecided === 0 ? '' : `; ${undecided} had too many orders to try them all`;
  return { code: 0, reason: `some order explains each of ${explained} histories${rest}` };
}
