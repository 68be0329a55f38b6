/** What a dialect says to a CSE, as a table: sequences of its operations, and how they become requests. */
import type fc from 'fast-check';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Installation } from '../engine/running/installation.ts';
import type { Action, Part } from './moves/move.ts';
import type { Operation } from './operations/operation.ts';
import type { StandardOperation } from './standard/operations/operation.ts';

/** What a sequence does, in one dialect or the other. */
export type AnyOperation = Operation | StandardOperation;

/** How the operations of one sequence become requests. */
export interface Play<One = AnyOperation, Asked = Action> {
  /** Time has passed already, where that is what it does. */
  move(operation: One): Part<void, Asked>;
  /** A look at everything. */
  look(): Part<void, Asked>;
  /** A look into the inboxes, where there are such; `all`: into each that was ever spoken of. */
  watch?(all: boolean): Part<void, Asked>;
}

export interface Language {
  readonly dialect: Dialect;
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  /** `label`: how everything is called that the sequence creates at the CSE base. Throws a TypeError where a CSE is not there. */
  play(installation: Installation, label: string): Play;
}
