import type { Play } from '../language.ts';
import type { Operation } from '../operations/operation.ts';
import { look } from './look.ts';
import type { Attempt, Ground } from './move.ts';
import { moveOf } from './moves.ts';

/** One CSE by itself. */
export function plainly(ground: Ground): Play<Operation, Attempt> {
  return { move: (operation) => moveOf(operation, ground), look: () => look(ground) };
}
