import type { Site } from '../../engine/running/site.ts';
import { look, watch } from './moves/look.ts';
import type { StandardGround, StandardMove } from './moves/move.ts';
import { moveOf } from './moves/moves.ts';
import type { StandardOperation } from './operations/operation.ts';

/** How operations become requests. */
export interface StandardPlay {
  move(operation: StandardOperation): StandardMove;
  /** A look at everything. */
  look(): StandardMove;
  /** A look into the inboxes; `all`: into each that was ever spoken of. */
  watch(all: boolean): StandardMove;
}

/** One CSE by itself. */
export function plainly(groundAt: (site: Site) => StandardGround): StandardPlay {
  const ground = groundAt('gateway');
  return {
    move: (operation) => moveOf(operation, ground),
    look: () => look(ground),
    watch: (all) => watch(ground, all),
  };
}
