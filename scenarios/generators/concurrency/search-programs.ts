import fc from 'fast-check';
import { TargetLost } from '../sequence-run.ts';
import { actionsIn, type Program } from './action.ts';
import type { Unexplained } from './lessen.ts';
import { programsOf } from './programs.ts';

/** Runs a program; undefined where what it showed can be explained. */
type RunProgram = (program: Program) => Promise<Unexplained | undefined>;

export interface FoundProgram extends Unexplained {
  /** Its path among those of the seed. */
  readonly path: string;
  readonly program: Program;
}

interface Seeded {
  readonly seed: number;
  readonly originators: number;
}

/** Programs that are made at a time. */
const batch = 32;

/** The first program of a seed of which the history cannot be explained. Rejects with TargetLost. */
export async function searchPrograms(
  { seed, originators, runs, enough }: Seeded & { readonly runs: number; readonly enough: () => boolean },
  run: RunProgram,
): Promise<FoundProgram | undefined> {
  for (let from = 0; from < runs; from += batch) {
    const numRuns = Math.min(batch, runs - from);
    const made = fc.sample(programsOf(originators), { seed, path: String(from), numRuns });
    for (const [at, program] of made.entries()) {
      if (enough()) return undefined;
      const found = await run(program);
      if (found !== undefined) return { ...found, path: String(from + at), program };
    }
  }
  return undefined;
}

/** What a path of fast-check stands for. Undefined for a path that leads nowhere. */
export function programAt({ seed, originators }: Seeded, path: string): Program | undefined {
  const [program] = fc.sample(programsOf(originators), { seed, path, numRuns: 1 });
  return program;
}

export interface ShrunkProgram extends FoundProgram {
  /** Programs that were tried. */
  readonly attempts: number;
  /** Whether there was nothing left to try. */
  readonly complete: boolean;
}

interface ShrinkOptions extends Seeded {
  /** Attempts after which the smallest so far is taken. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly onSmaller: (actions: number, attempts: number) => void;
}

/** The smallest program that is come to in so many attempts, of which the history breaks the same requirement. */
export async function shrinkProgram(
  found: FoundProgram,
  run: RunProgram,
  options: ShrinkOptions,
): Promise<ShrunkProgram> {
  const { seed, originators, most, signal, onSmaller } = options;
  const { requirement } = found.verdict;
  let best: FoundProgram = found;
  let attempts = 0;
  let over = false;
  let first = true;
  const holds = async (program: Program): Promise<boolean> => {
    // That what was found fails is known already, though it may not do so each time.
    if (first) return !takeFirst();
    over ||= signal.aborted || attempts >= most;
    if (over) return true;
    const shown = await run(program).catch(lostTarget);
    attempts += 1;
    over = shown === 'lost';
    if (shown === undefined || shown === 'lost' || shown.verdict.requirement !== requirement) return true;
    best = { ...shown, program, path: best.path };
    onSmaller(actionsIn(program), attempts);
    return false;
  };
  const takeFirst = () => {
    first = false;
    return true;
  };
  const details = await fc.check(fc.asyncProperty(programsOf(originators), holds), {
    ...{ seed, path: found.path, numRuns: 1 },
  });
  const path = details.counterexamplePath ?? found.path;
  return { ...best, path, attempts, complete: !over && !signal.aborted };
}

/** What has been found stays found when the target is lost. */
export function lostTarget(error: unknown): 'lost' {
  if (!(error instanceof TargetLost)) throw error;
  return 'lost';
}
