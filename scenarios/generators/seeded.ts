/** What a seed makes, in the order in which fast-check tries it: number n is what the path `n` replays. */
import fc from 'fast-check';
import { lostBy } from './sequence-run.ts';

export interface Seeded<One> {
  readonly made: fc.Arbitrary<One>;
  readonly seed: number;
  /** Tried before whatever is made. */
  readonly examples?: readonly One[];
}

/** So many of them, examples not counted, or only what the user gives the path of. */
export interface Chosen<One> extends Seeded<One> {
  readonly path?: string | undefined;
  /** Number of the first; 0 when absent. */
  readonly from?: number | undefined;
  readonly runs: number;
}

/** They are made so many at a time: few at first, so that it begins at once. */
const batches = { first: 8, most: 512 };

/** The one of a path has the number 0. */
export function* numbered<One>(chosen: Chosen<One>): Generator<readonly [number: number, one: One]> {
  const { made, seed, examples = [], path, from: first = 0, runs } = chosen;
  if (path !== undefined) {
    const one = oneAt(chosen, path);
    if (one !== undefined) yield [0, one];
    return;
  }
  const end = first + examples.length + runs;
  for (let from = first, size = batches.first; from < end; from += size, size = Math.min(2 * size, batches.most)) {
    const numRuns = Math.min(size, end - from);
    const sample = fc.sample(made, { seed, path: String(from), numRuns, examples: [...examples] });
    for (const [at, one] of sample.entries()) yield [from + at, one];
  }
}

/** What is to be tried: all of it, or only what the user gives the path of, so many times. */
export function* triedOf<One>(chosen: Chosen<One>, times = 1): Generator<readonly [path: string, one: One]> {
  const { path } = chosen;
  for (let time = 0; time < (path === undefined ? 1 : times); time += 1)
    for (const [number, one] of numbered(chosen)) yield [path ?? String(number), one];
}

/** What a path of fast-check stands for. Undefined for a path that leads nowhere. */
export function oneAt<One>({ made, seed, examples = [] }: Seeded<One>, path: string): One | undefined {
  return fc.sample(made, { seed, path, numRuns: 1, examples: [...examples] })[0];
}

/** One of what a seed makes, by its path among those, and what it has shown. */
export interface Found<One, Shown> {
  readonly path: string;
  readonly one: One;
  readonly shown: Shown;
}

export interface Shrunk<One, Shown> extends Found<One, Shown> {
  /** How many were tried. */
  readonly attempts: number;
  /** Whether there was nothing left to try. */
  readonly complete: boolean;
}

interface ShrinkOptions<One, Shown> extends Pick<Chosen<One>, keyof Seeded<One> | 'path'> {
  /** Attempts after which the smallest so far is taken. */
  readonly shrinkAttempts: number;
  readonly signal: AbortSignal;
  /** Undefined where it does not show the same. Rejects with TargetLost. */
  readonly run: (one: One) => Promise<Shown | undefined>;
  readonly onSmaller: (one: One, attempts: number) => void;
  /** Whether what was found may not show it each time, so that it is not tried again. */
  readonly isKnown?: boolean;
}

/**
 * The smallest that fast-check comes to in so many attempts, which shows the same; what the user gives the path of stays as it is. What
 * was found stays found when the target is lost.
 */
export async function shrink<One, Shown>(
  found: Found<One, Shown>,
  options: ShrinkOptions<One, Shown>,
): Promise<Shrunk<One, Shown>> {
  const { made, seed, examples = [], shrinkAttempts, signal, run, onSmaller, isKnown = false } = options;
  if (options.path !== undefined) return { ...found, attempts: 0, complete: false };
  let best = found;
  let attempts = 0;
  let over = false;
  let isFirst = isKnown;
  const holds = async (one: One): Promise<boolean> => {
    if (isFirst) {
      isFirst = false;
      return false;
    }
    over ||= signal.aborted || attempts >= shrinkAttempts;
    if (over) return true;
    const shown = await run(one).catch((error: unknown) => {
      lostBy(error);
      over = true;
    });
    attempts += 1;
    if (shown === undefined || signal.aborted) return true;
    best = { ...found, one, shown };
    onSmaller(one, attempts);
    return false;
  };
  const known = examples.map((one): [One] => [one]);
  const property = fc.asyncProperty(made, holds);
  const details = await fc.check(property, { seed, examples: known, path: found.path, numRuns: 1 });
  const path = details.counterexamplePath ?? found.path;
  return { ...best, path, attempts, complete: !over && !signal.aborted };
}
