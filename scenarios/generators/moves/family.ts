/** What the dialects have each by themselves. */
import type fc from 'fast-check';
import type { Routed } from './arbitraries.ts';
import type { Attempt, Move } from './move.ts';
import type { MoveContext, Wording } from './move-context.ts';

/** What every operation says. */
export interface Speaking extends Routed {
  readonly does: string;
}

/** How the operations of one sequence become requests. */
export interface Play<One> {
  /** Time has passed already, where that is what it does. */
  move(operation: One): Move;
  /** A look at everything. */
  look(): Move;
}

/** What the dialects do each in their own way where the CSEs of a pair are asked for each other. */
export interface Forwarding<One> {
  /** In a form that can be asked of the other CSE. */
  readonly prepared?: (operation: One) => One;
  /** Whether it is asked of any other than its own CSE. */
  readonly takes?: (attempt: Attempt) => boolean;
  /** Whether what was created or changed by way of it is read directly, and what the two know of each other. */
  readonly looks?: true;
}

export interface Family<One extends Speaking> {
  readonly operation: fc.Arbitrary<One>;
  /** Others that may do in the place of one while a sequence is made smaller. */
  readonly plainer?: (operation: One) => readonly One[][];
  readonly words: Wording;
  moveOf(operation: One, context: MoveContext): Move;
  /** Of a pair. */
  readonly forwarding: Forwarding<One>;
}
