/** What the dialects have each by themselves. */
import type fc from 'fast-check';
import type { Site } from '../engine/running/installation.ts';
import type { Action, Ground, Move, Part, Wording } from './moves/move.ts';
import type { Route, WayThrough } from './pair/route.ts';

/** What every operation says. `route`: in a pair; its own CSE is asked directly where nothing is said, at the gateway. */
export interface RoutedOperation {
  readonly does: string;
  readonly route?: Route | undefined;
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

/** How the CSEs of a pair are asked for each other. */
export interface Forwarding<One> {
  /** Whether it cannot be told any more what either CSE holds, since a request did something else than it was answered. */
  readonly isOpen: boolean;
  move(operation: One, way: WayThrough): Move;
  /** A look through the other CSE at what stands at one. */
  look?(at: Site): Move;
  /** A look at what the two know of each other. */
  lookAtRegistrations?(): Move;
}

export interface Family<One extends RoutedOperation> {
  readonly operation: fc.Arbitrary<One>;
  /** Others that may do in the place of one while a sequence is made smaller. */
  readonly plainer?: (operation: One) => readonly One[][];
  readonly words: Wording;
  moveOf(operation: One, ground: Ground): Move;
  look(ground: Ground): Move;
  watch?(ground: Ground, all: boolean): Part<void, Action>;
  /** Of a pair. */
  forwarding(grounds: Readonly<Record<Site, Ground>>): Forwarding<One>;
}
