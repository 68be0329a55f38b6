import fc from 'fast-check';
import type { Operation } from '../operations/operation.ts';
import { TargetLost } from '../sequence-run.ts';
import type { Shown } from './paired-run.ts';

interface Found {
  readonly path: string;
  readonly operations: readonly Operation[];
  readonly shown: Shown;
}

export interface ShrunkDifference extends Found {
  /** Sequences that were tried. */
  readonly attempts: number;
  /** Whether there was nothing left to try. */
  readonly complete: boolean;
}

interface ShrinkOptions {
  readonly sequences: fc.Arbitrary<Operation[]>;
  readonly seed: number;
  /** Attempts after which the smallest so far is taken. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Undefined where the difference does not show. */
  readonly run: (operations: readonly Operation[]) => Promise<Shown | undefined>;
  readonly onSmaller: (operations: number, attempts: number) => void;
}

/** The shortest sequence that fast-check comes to in so many attempts, in which the same difference shows. */
export async function shrinkDifference(found: Found, options: ShrinkOptions): Promise<ShrunkDifference> {
  const { sequences, seed, most, signal, run, onSmaller } = options;
  let best: Pick<Found, 'operations' | 'shown'> = found;
  let attempts = 0;
  let over = false;
  const holds = async (operations: Operation[]): Promise<boolean> => {
    over ||= signal.aborted || attempts >= most;
    if (over) return true;
    const shown = await run(operations).catch((error: unknown) => {
      if (!(error instanceof TargetLost)) throw error;
      over = true;
    });
    attempts += 1;
    if (shown === undefined || signal.aborted) return true;
    best = { operations, shown };
    onSmaller(operations.length, attempts);
    return false;
  };
  const details = await fc.check(fc.asyncProperty(sequences, holds), {
    seed,
    path: found.path,
    numRuns: 1,
  });
  const path = details.counterexamplePath ?? found.path;
  return { ...best, path, attempts, complete: !over && !signal.aborted };
}
