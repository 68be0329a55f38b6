import type { StandardOperation } from '../operations/operation.ts';
import { askAsAnother } from './another.ts';
import { groupNeeded, guardNeeded } from './beforehand.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { discover } from './discover.ts';
import { fanOut } from './fan-out.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { letPass } from './read.ts';
import { retrieve } from './retrieve.ts';
import { virtual } from './virtual.ts';
import { wrongly } from './wrong.ts';

/** The requests of an operation. One that has nothing to speak of yet sends none, or creates what it lacks. */
export function moveOf(given: StandardOperation, ground: StandardGround): StandardMove {
  const operation = lackingOf(given, ground) ?? given;
  switch (operation.does) {
    case 'create':
      return create(operation, ground);
    case 'wrong':
      return wrongly(operation, ground);
    case 'retrieve':
      return retrieve(operation, ground);
    case 'update':
      return update(operation, ground);
    case 'delete':
      return remove(operation, ground);
    case 'discover':
      return discover(operation, ground);
    case 'fan out':
      return fanOut(operation, ground);
    case 'ask as another':
      return askAsAnother(operation, ground);
    case 'advance time':
      return letPass(operation.time, ground);
    default:
      return virtual(operation, ground);
  }
}

function lackingOf(operation: StandardOperation, ground: StandardGround): StandardOperation | undefined {
  if (operation.does === 'fan out') return groupNeeded(operation, ground);
  return operation.does === 'ask as another' ? guardNeeded(operation, ground) : undefined;
}
