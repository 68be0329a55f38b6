import { milliseconds } from '../../engine/grammar/duration.ts';
import type { Operation } from '../operations/operation.ts';
import { remove, update } from './change.ts';
import { create } from './create.ts';
import { createWrongly } from './create-wrongly.ts';
import { discover } from './discover.ts';
import { letTimePass } from './expire.ts';
import type { Ground, Move } from './move.ts';
import { newestOrOldest } from './newest.ts';
import { retrieve } from './retrieve.ts';

/** The requests of an operation. One that has nothing to speak of yet sends none. */
export function moveOf(operation: Operation, ground: Ground): Move {
  switch (operation.does) {
    case 'create':
      return create(operation, ground);
    case 'create wrongly':
      return createWrongly(operation, ground);
    case 'retrieve':
      return retrieve(operation, ground);
    case 'update':
      return update(operation, ground);
    case 'delete':
      return remove(operation, ground);
    case 'advance time':
      return letTimePass(milliseconds(operation.time), ground);
    case 'discover':
      return discover(operation, ground);
    default:
      return newestOrOldest(operation, ground);
  }
}
