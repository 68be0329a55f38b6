import type { Site } from '../../engine/running/site.ts';
import type { Operation } from '../operations/operation.ts';
import { letTimePass } from './expire.ts';
import { look } from './look.ts';
import type { Ground, Move } from './move.ts';
import { moveOf } from './moves.ts';

/** How operations become requests. */
export interface Play {
  move(operation: Exclude<Operation, { does: 'advance time' }>): Move;
  /** A look at everything. */
  look(): Move;
  /** So many milliseconds have passed. */
  letPass(milliseconds: number): Move;
}

/** One CSE by itself. */
export function plainly(groundAt: (site: Site) => Ground): Play {
  const ground = groundAt('gateway');
  return {
    move: (operation) => moveOf(operation, ground),
    look: () => look(ground),
    letPass: (milliseconds) => letTimePass(milliseconds, ground),
  };
}
