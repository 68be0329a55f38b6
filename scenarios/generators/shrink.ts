import fc from 'fast-check';
import type { AnyOperation } from './language.ts';
import type { FoundSequence, RunSequence } from './search.ts';
import { type SequenceOutcome, TargetLost } from './sequence-run.ts';

export interface Shrunk {
  readonly path: string;
  readonly operations: readonly AnyOperation[];
  readonly outcome: SequenceOutcome;
  /** Sequences that were tried. */
  readonly attempts: number;
  /** Whether there was nothing left to try. */
  readonly complete: boolean;
}

export interface ShrinkOptions {
  readonly sequences: fc.Arbitrary<AnyOperation[]>;
  readonly seed: number;
  /** Attempts after which the smallest so far is taken. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly onSmaller: (operations: readonly AnyOperation[], attempts: number) => void;
}

/** The shortest sequence that fast-check comes to in so many attempts, which fails for the same requirement. */
export async function shrink(found: FoundSequence, run: RunSequence, options: ShrinkOptions): Promise<Shrunk> {
  const { sequences, seed, most, signal, onSmaller } = options;
  const requirement = found.outcome.failure?.expected.requirement;
  let best: Pick<Shrunk, 'operations' | 'outcome'> = found;
  let attempts = 0;
  let over = false;
  const holds = async (operations: readonly AnyOperation[]): Promise<boolean> => {
    over ||= signal.aborted || attempts >= most;
    if (over) return true;
    const outcome = await run(operations).catch(lostTarget);
    attempts += 1;
    over = outcome === undefined;
    if (outcome?.failure?.expected.requirement !== requirement) return true;
    best = { operations, outcome: outcome ?? best.outcome };
    onSmaller(operations, attempts);
    return false;
  };
  const property = fc.asyncProperty(sequences, holds);
  const details = await fc.check(property, {
    seed,
    path: found.path,
    numRuns: 1,
  });
  const path = details.counterexamplePath ?? found.path;
  return { ...best, path, attempts, complete: !over && !signal.aborted };
}

function lostTarget(error: unknown): undefined {
  if (!(error instanceof TargetLost)) throw error;
}

/** What a path of fast-check stands for. Undefined for a path that leads nowhere. */
export async function sequenceAt<Operation>(
  sequences: fc.Arbitrary<Operation[]>,
  seed: number,
  path: string,
): Promise<readonly Operation[] | undefined> {
  const [operations] = fc.sample(sequences, { seed, path, numRuns: 1 });
  return operations;
}
