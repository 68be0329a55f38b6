import type fc from 'fast-check';
import type { Operation } from './operations/operation.ts';
import { type SequenceOptions, type SequenceOutcome, SequenceRun } from './sequence-run.ts';
import type { StandardOperation } from './standard/operations/operation.ts';

/** What a sequence does, in one dialect or the other. */
export type AnyOperation = Operation | StandardOperation;

/** What is said to a CSE of one dialect, and how. */
export interface Language {
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  run(operations: readonly AnyOperation[], options: SequenceOptions): Promise<SequenceOutcome>;
}

/** Sequences of the documented dialect. */
export function documented(sequences: fc.Arbitrary<Operation[]>): Language {
  return { sequences, run: (operations: readonly Operation[], options) => new SequenceRun(options).run(operations) };
}
