import fc from 'fast-check';
import type { Operation } from '../operations/operation.ts';

/** A sequence, by its number among those of the seed. */
export type Numbered = readonly [number: number, operations: Operation[]];

/** Sequences are made so many at a time. */
const madeAtOnce = 64;

/** The sequences of a seed, so many at a time: number n is what the path `n` replays. */
export function* batchesOf(
  sequences: fc.Arbitrary<Operation[]>,
  { seed, runs, jobs }: { readonly seed: number; readonly runs: number; readonly jobs: number },
): Generator<readonly Numbered[]> {
  for (let from = 0; from < runs; from += madeAtOnce) {
    const numRuns = Math.min(madeAtOnce, runs - from);
    const made = fc.sample(sequences, { seed, path: String(from), numRuns });
    const numbered = made.map((operations, at): Numbered => [from + at, operations]);
    for (let at = 0; at < numbered.length; at += jobs) yield numbered.slice(at, at + jobs);
  }
}
