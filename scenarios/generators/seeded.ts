/** What a seed makes, in the order in which fast-check tries it: number n is what the path `n` replays. */
import fc from 'fast-check';
import { lostBy } from './sequence-run.ts';

export interface Seeded<One> {
  readonly made: fc.Arbitrary<One>;
  readonly seed: number;
  /** Tried before whatever is made. */
  readonly examples?: readonly One[];
}

/** They are made so many at a time: few at first, so that it begins at once. */
const batches = { first: 8, most: 512 };

/** So many of them, or only what the user gives the path of. */
interface Chosen {
  readonly path?: string | undefined;
  readonly runs: number;
}

/** `from`: number of the first; 0 when absent. `runs`: examples not counted. */
export function* numbered<One>(
  { made, seed, examples = [] }: Seeded<One>,
  { path, from: first = 0, runs }: Chosen & { readonly from?: number | undefined },
): Generator<readonly [number: number, one: One]> {
  if (path !== undefined) {
    const one = oneAt({ made, seed, examples }, path);
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
export function* triedOf<One>(
  seeded: Seeded<One>,
  { path, runs }: Chosen,
  times = 1,
): Generator<readonly [path: string, one: One]> {
  for (let time = 0; time < (path === undefined ? 1 : times); time += 1)
    for (const [number, one] of numbered(seeded, { path, runs })) yield [path ?? String(number), one];
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

/** As it was found, where nobody asked for it to be made small. */
export function asFound<One, Shown>(found: Found<One, Shown>): Shrunk<One, Shown> {
  return { ...found, attempts: 0, complete: false };
}

interface ShrinkOptions<One, Shown> extends Seeded<One> {
  /** Attempts after which the smallest so far is taken. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** Undefined where it does not show the same. Rejects with TargetLost. */
  readonly run: (one: One) => Promise<Shown | undefined>;
  readonly onSmaller: (one: One, attempts: number) => void;
  /** Whether what was found may not show it each time, so that it is not tried again. */
  readonly isKnown?: boolean;
}

/** The smallest that fast-check comes to in so many attempts, which shows the same. What was found stays found when the target is lost. */
export async function shrink<One, Shown>(
  found: Found<One, Shown>,
  { made, seed, examples = [], most, signal, run, onSmaller, isKnown = false }: ShrinkOptions<One, Shown>,
): Promise<Shrunk<One, Shown>> {
  let best = found;
  let attempts = 0;
  let over = false;
  let isFirst = isKnown;
  const holds = async (one: One): Promise<boolean> => {
    if (isFirst) {
      isFirst = false;
      return false;
    }
    over ||= signal.aborted || attempts >= most;
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
