/** How far a comparison is. */
import type { DiffEvent } from '../../scenarios/index.ts';
import { progressOf } from '../progress/follow.ts';
import { counted } from '../wording.ts';
import { targetName } from './told.ts';

export const diffProgress = progressOf<DiffEvent>({
  lines: {
    'diff started': ({ targets, seed }) =>
      `comparing ${targetName(targets.A)} with ${targetName(targets.B)}, seed ${seed}`,
    'difference found': ({ part, about, path }) =>
      `${part} differs (${about}) in sequence ${path}; looking for a shorter one`,
  },
  passing: {
    searched: ({ sequences, compared }, planned) =>
      `${sequences} of ${counted(planned, 'sequence')}, ${counted(compared, 'answer')} of each`,
    shrunk: ({ operations, attempts }) =>
      `${counted(operations, 'operation')} left after ${counted(attempts, 'attempt')}`,
  },
});
