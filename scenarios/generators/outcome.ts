import { deathSentence } from '../engine/judging/death-words.ts';
import type { Death, Exit } from '../engine/result.ts';
import type { Counterexample } from './exploration.ts';
import type { Statistics } from './statistics.ts';

interface Ended {
  readonly statistics: Statistics;
  readonly interrupted: boolean;
  readonly counterexample?: Counterexample;
  /** Why the target cannot be asked any more. */
  readonly lost?: string;
  readonly deaths?: readonly Death[];
}

/** A deviation is violated where it was seen again; what was seen once is told, and decides nothing. */
export function exitOfFound({ requirement, confirmed }: Pick<Counterexample, 'requirement' | 'confirmed'>): Exit {
  if (confirmed) return { code: 1, reason: `${requirement} is violated` };
  return { code: 4, reason: `${requirement} failed once, and not when it was sent again` };
}

/** The exit code of an exploration and its reason, as a run of scenarios has them. */
export function exitOf(ended: Ended): Exit {
  const exit = exitOfAnswers(ended);
  const { deaths = [], counterexample } = ended;
  const death = deathSentence(deaths);
  if (death === undefined || exit.code === 130) return exit;
  if (deaths.some(({ culprit }) => culprit !== undefined)) return { code: 1, reason: death };
  const answers = counterexample === undefined ? [] : [exit.reason];
  return { code: exit.code === 1 ? 1 : 3, reason: [death, ...answers].join('; ') };
}

function exitOfAnswers({ statistics, interrupted, counterexample, lost }: Ended): Exit {
  const { sequences, steps } = statistics;
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) return exitOfFound(counterexample);
  if (lost !== undefined) return { code: 3, reason: `the target could not be reached: ${lost}` };
  const judged = Object.keys(statistics.exercised().requirements).length;
  if (judged === 0) return { code: 4, reason: 'nothing was judged' };
  return { code: 0, reason: `no deviation in ${sequences} sequences with ${steps} requests` };
}
