import type { Site } from '../../../engine/running/installation.ts';
import type { Play } from '../../language.ts';
import type { Action, Attempt, Came } from '../../moves/move.ts';
import { plainRoute, type Through, type WayThrough } from '../../pair/route.ts';
import { directly, handedOn, sameAs, sentTo, sites } from '../../pair/through.ts';
import type { StandardGround, StandardMove, StandardPart } from '../moves/move.ts';
import { look, moveOf, watch } from '../moves/moves.ts';
import { understood } from '../moves/read.ts';
import type { StandardOperation } from '../operations/operation.ts';

/** Two CSEs that know each other, with a model of each: whatever goes through one of them changes the other alone. */
export function standardPairPlay(grounds: Readonly<Record<Site, StandardGround>>): Play<StandardOperation> {
  function* everywhere(moveAt: (ground: StandardGround) => StandardMove): StandardMove {
    for (const site of sites) yield* sentTo(site, moveAt(grounds[site]));
  }

  function move(operation: StandardOperation): StandardMove {
    if (operation.does === 'advance time') return everywhere((ground) => moveOf(operation, ground));
    const { at, through } = operation.route ?? plainRoute;
    const own = moveOf(operation, grounds[at]);
    return through === null ? sentTo(at, own) : sentThrough({ at, through }, operation, own, grounds[at]);
  }

  return { move, look: () => everywhere(look), watch: (all) => everywhere((ground) => watch(ground, all)) };
}

/**
 * What an operation asks for through the other CSE; what is only looked at afterwards directly. Another CSE hands a request on as it
 * came (TS-0004 7.3.2.6), so that all that is expected of its answer stays.
 */
function* sentThrough(
  way: WayThrough,
  { does }: Pick<StandardOperation, 'does'>,
  move: StandardMove,
  ground: StandardGround,
): StandardMove {
  ground.model.isBlind = true;
  for (let next = move.next(); !next.done; ) {
    const action = next.value;
    const asked = !('watch' in action) && (action.about.operation.startsWith(does) || 'create' in action.step);
    const through = asked ? handed(action, way, ground) : undefined;
    next = move.next(through === undefined ? yield directly<Action>(action, way.at) : yield* carried(through));
  }
}

interface Handed {
  readonly direct: Attempt;
  readonly through: Attempt;
  /** That of the form of address which names the CSE. */
  readonly requirement: string;
}

/** Undefined for what is asked of its own CSE alone: the registration of an application entity, and exact bytes. */
function handed(direct: Attempt, way: WayThrough, { model: { names } }: StandardGround): Handed | undefined {
  const { about, step, expect } = direct;
  const through = handedOn(direct, way, names);
  const isRead = 'retrieve' in step || 'discover' in step;
  if (through === undefined || (about.kind === 'ae' && !isRead)) return undefined;
  const requirement = requirementOf(direct, way.through, names.base);
  const expectations = [...(expect === 'success' ? [understood(requirement)] : []), ...direct.expectations];
  return { direct: directly(direct, way.at), through: { ...through, expectations }, requirement };
}

function requirementOf({ about, step }: Attempt, form: Through, base: string): string {
  if (about.form === 'dash') return 'std.address.dash';
  if (about.form === 'name below identifier') return 'std.address.name-below-identifier';
  const paths = Object.values(step).filter((value) => typeof value === 'string');
  const byName = paths.some((path) => path.startsWith(`/${base}/`) || path.includes(`/${base}/`));
  const scope = form === 'absolute' ? 'absolute' : 'sp-relative';
  return `std.address.${byName ? 'structured' : 'unstructured'}.${scope}`;
}

/** What is read is read directly first: both answers are the same. */
function* carried({ direct, through, requirement }: Handed): StandardPart<Came> {
  if (!('retrieve' in direct.step)) return yield through;
  const { outcome, view } = yield { ...direct, about: { ...direct.about, operation: 'read directly' } };
  const same = outcome === 'success' ? sameAs(view, requirement) : [];
  return yield { ...through, expectations: [...through.expectations, ...same] };
}
