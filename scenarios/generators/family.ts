/** What the dialects have each by themselves. */
import type fc from 'fast-check';
import type { Site } from '../engine/running/installation.ts';
import type { Action, Attempt, Came, Move, Part } from './moves/move.ts';
import type { Ground, Wording } from './moves/wording.ts';
import type { Routed } from './operations/arbitraries.ts';
import type { WayThrough } from './pair/through.ts';

/** What every operation says. */
export interface Speaking extends Routed {
  readonly does: string;
}

/** How the operations of one sequence become requests. */
export interface Play<One, Asked = Action> {
  /** Time has passed already, where that is what it does. */
  move(operation: One): Part<void, Asked>;
  /** A look at everything. */
  look(): Part<void, Asked>;
  /** A look into the inboxes, where there are such; `all`: into each that was ever spoken of. */
  watch?(all: boolean): Part<void, Asked>;
}

/** What the dialects have each by themselves where the CSEs of a pair are asked for each other. */
export interface ForwardingWords<One> {
  /** In a form that can be asked of the other CSE. */
  readonly prepared?: (operation: One) => One;
  /** Whether it is asked of any other than its own CSE. */
  readonly takes?: (attempt: Attempt) => boolean;
  /** What is expected through the other CSE; `before`: what its own has answered to the same. */
  readonly answered: (
    attempt: Attempt,
    way: WayThrough,
    before: Came | undefined,
  ) => Pick<Attempt, 'expect' | 'expectations'>;
  /** A look at what was created or changed by it. */
  readonly confirm?: (attempt: Attempt, came: Came, way: WayThrough) => Move;
  /** A look at what the two know of each other. */
  readonly lookAtRegistrations?: () => Move;
}

export interface Family<One extends Speaking> {
  readonly operation: fc.Arbitrary<One>;
  /** Others that may do in the place of one while a sequence is made smaller. */
  readonly plainer?: (operation: One) => readonly One[][];
  readonly words: Wording;
  moveOf(operation: One, ground: Ground): Move;
  /** Whether subscriptions are among what it creates. */
  readonly notifies?: true;
  /** Of a pair. */
  forwarding(grounds: Readonly<Record<Site, Ground>>): ForwardingWords<One>;
}
