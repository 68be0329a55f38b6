/** What a seed makes, in the order in which fast-check tries it: number n is what the path `n` replays. */
import fc from 'fast-check';

/** The target answers no more, so that nothing can be found out. */
export class TargetLost extends Error {
  override readonly name = 'TargetLost';
}

/** Throws what is thrown for another reason. */
export function lostBy(error: unknown): TargetLost {
  if (error instanceof TargetLost) return error;
  throw error;
}

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
  /** How often what the user gives the path of is tried. */
  readonly times?: number;
}

/** They are made so many at a time: few at first, so that it begins at once. */
const batches = { first: 8, most: 512 };

/** What is to be tried. */
export function* triedOf<One>(chosen: Chosen<One>): Generator<readonly [path: string, one: One]> {
  const { made, seed, examples = [], path, from: first = 0, runs, times = 1 } = chosen;
  if (path !== undefined) {
    const one = oneAt(chosen, path);
    for (let time = 0; time < times && one !== undefined; time += 1) yield [path, one];
    return;
  }
  const end = first + examples.length + runs;
  for (let from = first, size = batches.first; from < end; from += size, size = Math.min(2 * size, batches.most)) {
    const numRuns = Math.min(size, end - from);
    const sample = fc.sample(made, { seed, path: String(from), numRuns, examples: [...examples] });
    for (const [at, one] of sample.entries()) yield [String(from + at), one];
  }
}

/** What a path of fast-check stands for. Undefined for a path that leads nowhere. */
export function oneAt<One>({ made, seed, examples = [] }: Seeded<One>, path: string): One | undefined {
  return fc.sample(made, { seed, path, numRuns: 1, examples: [...examples] })[0];
}

/** One of what a seed makes, by its path among those, and what it has shown. */
export interface SeededFinding<One, Shown> {
  readonly path: string;
  readonly one: One;
  readonly shown: Shown;
}

interface SearchOptions<One> extends Chosen<One> {
  /** Those that are tried at the same time; 1 when absent. */
  readonly jobs?: number;
  readonly enough: () => boolean;
}

interface Searched<One, Shown> {
  /** Those that show something, in order. */
  readonly all: ReadonlyArray<SeededFinding<One, Shown>>;
  /** Number of the first that has not been begun. */
  readonly next: number;
  /** Why the target is lost, and the number of the first that did not come to its end by that. */
  readonly lost?: { readonly says: string; readonly at: number };
}

/** Tries what a seed makes until one shows something, or the target is lost: then `run` rejects with TargetLost. */
export async function search<One, Shown>(
  options: SearchOptions<One>,
  run: (one: One) => Promise<Shown | undefined>,
): Promise<Searched<One, Shown>> {
  const { path: only, from = 0, jobs = 1, enough } = options;
  const waiting = triedOf(options);
  const all: Array<SeededFinding<One, Shown>> = [];
  let lost: Searched<One, Shown>['lost'];
  let next = only === undefined ? from : 1;
  const attempt = async (path: string, one: One): Promise<void> => {
    const number = only === undefined ? Number(path) : 0;
    next = Math.max(next, number + 1);
    try {
      const shown = await run(one);
      if (shown !== undefined) all.push({ path, one, shown });
    } catch (error) {
      const { message: says } = lostBy(error);
      if (lost === undefined || number < lost.at) lost = { says, at: number };
    }
  };
  const work = async (): Promise<void> => {
    while (all.length === 0 && lost === undefined && !enough()) {
      const { value, done } = waiting.next();
      if (done) return;
      await attempt(...value);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  all.sort((a, b) => Number(a.path) - Number(b.path));
  return { all, next, ...(lost !== undefined && { lost }) };
}

export interface Shrunk<One, Shown> extends SeededFinding<One, Shown> {
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
  found: SeededFinding<One, Shown>,
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
