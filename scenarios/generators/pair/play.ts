import type { Site } from '../../engine/running/installation.ts';
import type { Family, Play, RoutedOperation } from '../family.ts';
import type { Action, Ground, Move, Part } from '../moves/move.ts';
import { plainRoute } from './route.ts';
import { sentTo, sites } from './through.ts';

/** Two CSEs that know each other, with a model of each: whatever goes through one of them changes the other alone. */
export function pairPlay<One extends RoutedOperation>(
  grounds: Readonly<Record<Site, Ground>>,
  { moveOf, look, watch, forwarding: between }: Family<One>,
): Play<One> {
  const forwarding = between(grounds);

  function* everywhere<Asked extends Action>(partAt: (ground: Ground) => Part<void, Asked>): Part<void, Asked> {
    for (const site of sites) yield* sentTo(site, partAt(grounds[site]));
  }

  function* move(operation: One): Move {
    if (operation.does === 'advance time') {
      yield* everywhere((ground) => moveOf(operation, ground));
      if (forwarding.lookAtRegistrations) yield* forwarding.lookAtRegistrations();
      return;
    }
    if (forwarding.isOpen) return;
    const { at, through } = operation.route ?? plainRoute;
    if (through === null) yield* sentTo(at, moveOf(operation, grounds[at]));
    else yield* forwarding.move(operation, { at, through });
  }

  function* lookAtAll(): Move {
    if (forwarding.isOpen) return;
    for (const site of sites) {
      yield* sentTo(site, look(grounds[site]));
      if (forwarding.look) yield* forwarding.look(site);
    }
    if (forwarding.lookAtRegistrations) yield* forwarding.lookAtRegistrations();
  }

  return {
    ...{ move, look: lookAtAll },
    ...(watch && { watch: (all) => everywhere((ground) => watch(ground, all)) }),
  };
}
