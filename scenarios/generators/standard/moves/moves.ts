import type { StandardOperation } from '../operations/operation.ts';
import { askAsAnother } from './another.ts';
import { beforehand } from './beforehand.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { discover } from './discover.ts';
import { fanOut } from './fan-out.ts';
import type { StandardGround, StandardMove } from './move.ts';
import { letPass } from './read.ts';
import { retrieve } from './retrieve.ts';
import { virtual } from './virtual.ts';
import { wrongly } from './wrong.ts';

/** The requests of an operation. One that has nothing to speak of yet sends none, or creates what it lacks first. */
export function moveOf(operation: StandardOperation, ground: StandardGround): StandardMove {
  const { does } = operation;
  return does === 'fan out' || does === 'ask as another' ? prepared(operation, ground) : itself(operation, ground);
}

function* prepared(operation: StandardOperation, ground: StandardGround): StandardMove {
  yield* beforehand(operation, ground);
  yield* itself(operation, ground);
}

function itself(operation: StandardOperation, ground: StandardGround): StandardMove {
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
