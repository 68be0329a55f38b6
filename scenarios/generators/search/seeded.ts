/** What a seed generates, in the order of fast-check: number n is what the path `n` replays. */
import fc from 'fast-check';

/** The target answers no more, so nothing can be found out. */
export class TargetLost extends Error {
  override readonly name = 'TargetLost';
}

/** Rethrows any other error. */
export function lostBy(error: unknown): TargetLost {
  if (error instanceof TargetLost) return error;
  throw error;
}

export interface Seeded<One> {
  readonly arbitrary: fc.Arbitrary<One>;
  readonly seed: number;
  /** Tried before what is generated. */
  readonly examples?: readonly One[];
}

/** So many of them, without examples, or only the one at the path that the user gives. */
export interface Chosen<One> extends Seeded<One> {
  readonly path?: string | undefined;
  /** Number of the first; 0 when absent. */
  readonly from?: number | undefined;
  readonly runs: number;
  /** Tries of the one at the path that the user gives. */
  readonly times?: number;
}

/** Generated so many at a time: few at first, so that it begins at once. */
const batches = { first: 8, most: 512 };

/** What to try. */
function* triedOf<One>(chosen: Chosen<One>): Generator<readonly [path: string, one: One]> {
  const { arbitrary, seed, examples = [], path, from: first = 0, runs, times = 1 } = chosen;
  if (path !== undefined) {
    const one = oneAt(chosen, path);
    for (let time = 0; time < times && one !== undefined; time += 1) yield [path, one];
    return;
  }
  const end = first + examples.length + runs;
  for (let from = first, size = batches.first; from < end; from += size, size = Math.min(2 * size, batches.most)) {
    const numRuns = Math.min(size, end - from);
    const sample = fc.sample(arbitrary, { seed, path: String(from), numRuns, examples: [...examples] });
    for (const [at, one] of sample.entries()) yield [String(from + at), one];
  }
}

/** The value at a path of fast-check. Undefined for a path that leads nowhere. */
export function oneAt<One>({ arbitrary, seed, examples = [] }: Seeded<One>, path: string): One | undefined {
  return fc.sample(arbitrary, { seed, path, numRuns: 1, examples: [...examples] })[0];
}

/** A value of a seed, by its path, and what it has shown. */
export interface SeededFinding<One, Shown> {
  readonly path: string;
  readonly one: One;
  readonly result: Shown;
}

export interface SearchOptions<One> extends Chosen<One> {
  /** Concurrent tries; 1 when absent. */
  readonly jobs?: number;
  /** Whether it goes on after the first that shows something. */
  readonly goesOn?: boolean;
  readonly enough: () => boolean;
}

/** What one shows, by its path; rejects with TargetLost. */
export type TrialRun<One, Shown> = (one: One, path: string) => Promise<Shown | undefined>;

interface Searched<One, Shown> {
  /** Those that show something, in order. */
  readonly all: ReadonlyArray<SeededFinding<One, Shown>>;
  /** Those that were cut short, in order. */
  readonly cut: ReadonlyArray<SeededFinding<One, TargetLost>>;
  /** Number of the first that has not begun. */
  readonly next: number;
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Number(a.path) - Number(b.path);
}

/** Tries the values of a seed until one shows something, or the target is lost. */
export async function search<One, Shown>(
  options: SearchOptions<One>,
  run: TrialRun<One, Shown>,
): Promise<Searched<One, Shown>> {
  const { path: only, from = 0, jobs = 1, goesOn = false, enough } = options;
  const waiting = triedOf(options);
  const all: Array<SeededFinding<One, Shown>> = [];
  const cut: Array<SeededFinding<One, TargetLost>> = [];
  let next = only === undefined ? from : 1;
  const isOver = () => (!goesOn && all.length > 0) || cut.length > 0 || enough();
  const work = async (): Promise<void> => {
    for (const [path, one] of waiting) {
      if (isOver()) return;
      if (only === undefined) next = Math.max(next, Number(path) + 1);
      const result = await run(one, path).catch(lostBy);
      if (result instanceof TargetLost) cut.push({ path, one, result });
      else if (result !== undefined) all.push({ path, one, result });
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return { all: all.sort(byPath), cut: cut.sort(byPath), next };
}

export interface Shrunk<One, Shown> extends SeededFinding<One, Shown> {
  /** As it was found. */
  readonly atFirst: One;
  /** How many were tried. */
  readonly attempts: number;
  /** Whether there was nothing left to try. */
  readonly smallest: boolean;
}

interface ShrinkOptions<One, Shown> extends Pick<Chosen<One>, keyof Seeded<One> | 'path'> {
  /** Attempts after which the smallest so far wins. */
  readonly shrinkAttempts: number;
  readonly signal: AbortSignal;
  /** Undefined if it does not show the same. Rejects with TargetLost. */
  readonly run: (one: One) => Promise<Shown | undefined>;
  readonly onSmaller: (one: One, attempts: number) => void;
  /** Whether what was found may not show each time, so that it is not tried again. */
  readonly isKnown?: boolean;
}

/**
 * The smallest value that shows the same, in so many attempts of fast-check; one at a path that the user gives stays as it is. What was
 * found stays found when the target is lost.
 */
export async function shrink<One, Shown>(
  found: SeededFinding<One, Shown>,
  options: ShrinkOptions<One, Shown>,
): Promise<Shrunk<One, Shown>> {
  const { arbitrary, seed, examples = [], shrinkAttempts, signal, run, onSmaller, isKnown = false } = options;
  if (options.path !== undefined) return { ...found, atFirst: found.one, attempts: 0, smallest: false };
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
    const result = await run(one).catch((error: unknown) => {
      lostBy(error);
      over = true;
    });
    attempts += 1;
    if (result === undefined || signal.aborted) return true;
    best = { ...found, one, result };
    onSmaller(one, attempts);
    return false;
  };
  const known = examples.map((one): [One] => [one]);
  const property = fc.asyncProperty(arbitrary, holds);
  const details = await fc.check(property, { seed, examples: known, path: found.path, numRuns: 1 });
  const path = details.counterexamplePath ?? found.path;
  return { ...best, path, atFirst: found.one, attempts, smallest: !over && !signal.aborted };
}

/** Generates as fast-check does, and shrinks in an order of its own. */
export class Shrinking<One> extends fc.Arbitrary<One> {
  readonly #arbitrary: fc.Arbitrary<One>;
  readonly #smaller: (one: One) => Generator<One, void>;

  constructor(arbitrary: fc.Arbitrary<One>, smaller: (one: One) => Generator<One, void>) {
    super();
    this.#arbitrary = arbitrary;
    this.#smaller = smaller;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<One> {
    return new fc.Value(this.#arbitrary.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is One {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: One): fc.Stream<fc.Value<One>> {
    return fc.stream(this.#smaller(value)).map((one) => new fc.Value(one, undefined));
  }
}
