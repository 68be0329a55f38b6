import type { Play } from '../language.ts';
import { look, watch } from './moves/look.ts';
import type { StandardGround } from './moves/move.ts';
import { moveOf } from './moves/moves.ts';
import type { StandardOperation } from './operations/operation.ts';

/** One CSE by itself. */
export function plainly(ground: StandardGround): Play<StandardOperation> {
  return {
    move: (operation) => moveOf(operation, ground),
    look: () => look(ground),
    watch: (all) => watch(ground, all),
  };
}
