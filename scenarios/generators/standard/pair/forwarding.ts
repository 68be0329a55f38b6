import type { Site } from '../../../engine/running/installation.ts';
import type { Forwarding } from '../../family.ts';
import type { Attempt, Came, Ground, Move, Part } from '../../moves/move.ts';
import type { Through, WayThrough } from '../../pair/route.ts';
import { directly, handedOn, sameAs } from '../../pair/through.ts';
import { moveOf } from '../moves/moves.ts';
import { understood } from '../moves/read.ts';
import type { StandardOperation } from '../operations/operation.ts';

/**
 * What an operation asks for through the other CSE; what is only looked at afterwards directly. Another CSE hands a request on as it
 * came (TS-0004 7.3.2.6), so that all that is expected of its answer stays.
 */
export function standardForwarding(grounds: Readonly<Record<Site, Ground>>): Forwarding<StandardOperation> {
  function* move(operation: StandardOperation, way: WayThrough): Move {
    const ground = grounds[way.at];
    const direct = moveOf(operation, ground);
    for (let next = direct.next(); !next.done; ) {
      const attempt = next.value;
      const asked = attempt.about.operation.startsWith(operation.does) || 'create' in attempt.step;
      const through = asked ? handed(attempt, way, ground) : undefined;
      next = direct.next(through === undefined ? yield directly(attempt, way.at) : yield* carried(through));
    }
  }
  return { isOpen: false, move };
}

interface Handed {
  readonly direct: Attempt;
  readonly through: Attempt;
  /** That of the form of address which names the CSE. */
  readonly requirement: string;
}

/** Undefined for what is asked of its own CSE alone: the registration of an application entity, and exact bytes. */
function handed(direct: Attempt, way: WayThrough, { model: { names } }: Ground): Handed | undefined {
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
function* carried({ direct, through, requirement }: Handed): Part<Came> {
  if (!('retrieve' in direct.step)) return yield through;
  const { outcome, view } = yield { ...direct, about: { ...direct.about, operation: 'read directly' } };
  const same = outcome === 'success' ? sameAs(view, requirement) : [];
  return yield { ...through, expectations: [...through.expectations, ...same] };
}
