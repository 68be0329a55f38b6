import type { Site } from '../../../engine/running/installation.ts';
import type { Play } from '../../language.ts';
import { look, watch } from '../moves/look.ts';
import type { StandardGround, StandardMove } from '../moves/move.ts';
import { moveOf } from '../moves/moves.ts';
import type { StandardOperation } from '../operations/operation.ts';
import { sentThrough, sentTo } from './sent.ts';

const sites: readonly Site[] = ['gateway', 'backend'];

/** Two CSEs that know each other, with a model of each: whatever goes through one of them changes the other alone. */
export function standardPairPlay(grounds: Readonly<Record<Site, StandardGround>>): Play<StandardOperation> {
  function* everywhere(moveAt: (ground: StandardGround) => StandardMove): StandardMove {
    for (const site of sites) yield* sentTo(site, moveAt(grounds[site]));
  }

  function move(operation: StandardOperation): StandardMove {
    if (operation.does === 'advance time') return everywhere((ground) => moveOf(operation, ground));
    const { at, through } = operation.route ?? { at: 'gateway', through: null };
    const own = moveOf(operation, grounds[at]);
    return through === null ? sentTo(at, own) : sentThrough({ at, through }, operation, own, grounds[at]);
  }

  return { move, look: () => everywhere(look), watch: (all) => everywhere((ground) => watch(ground, all)) };
}
