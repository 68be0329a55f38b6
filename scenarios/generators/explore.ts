/** Explores a target: generated sequences of requests, judged by a model, until one shows a deviation, which is then made small. */
import { randomInt } from 'node:crypto';
import type { TargetChoice } from '../check.ts';
import { defined } from '../engine/defined.ts';
import { loadRequirements } from '../engine/files/catalogue.ts';
import { UsageError } from '../engine/files/diagnostics.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Death } from '../engine/result.ts';
import { runId } from '../engine/running/run-id.ts';
import { whileTold } from '../engine/running/while-told.ts';
import { now, since } from '../engine/targets/target.ts';
import type { Departure, SafetyChoice } from '../safety/run-safety.ts';
import { maskedRun } from '../secrets/masked.ts';
import { type Arena, openArena } from './arena.ts';
import { commandOf } from './command.ts';
import type { Counterexample, ExploreEvent, ExploreResult } from './exploration.ts';
import { type Explored, Explorer, type ExplorerOptions } from './explorer.ts';
import { judgesOf } from './focus.ts';
import { exitOf } from './outcome.ts';
import { searchParts } from './parts/search-parts.ts';
import { Statistics } from './statistics.ts';

export interface ExploreOptions {
  readonly target: TargetChoice;
  /** Whether the target is tried together with the backend at which it is registered; requests go to both, and through each to the other. */
  readonly pair?: boolean;
  /** How the target speaks, and which specification judges it; `documented` when absent. */
  readonly dialect?: Dialect;
  /** Sequences; 200 when absent. */
  readonly runs?: number;
  /** What the sequences are made from; a random one when absent. */
  readonly seed?: number;
  /** Only the sequence at this path of the seed, as a counterexample tells it. */
  readonly path?: string;
  /** Milliseconds after which no new sequence begins. */
  readonly maxTime?: number;
  /** Sequences that shrinking tries; 500 when absent. */
  readonly shrinkAttempts?: number;
  /** Only these requirements, or those below these prefixes, are judged; a gap is, where it is named. */
  readonly focus?: readonly string[];
  /** `gap`: what the reference CSE does where the specification leaves it open is demanded as well. Absent: `documented`. */
  readonly level?: 'documented' | 'gap';
  /** Sequences at the same time; 8 when absent, 1 in process. */
  readonly jobs?: number;
  /** Processes that search, each with a reference CSE of its own; 1 when absent. */
  readonly processes?: number;
  /** Milliseconds for each request; 12,000 when absent. */
  readonly timeout?: number;
  readonly safety?: SafetyChoice;
  /** Brings a target back that died and stays dead for `waitForTarget`; then it goes on. */
  readonly restart?: () => Promise<void>;
  /** What is masked in everything that is told. */
  readonly secrets?: readonly string[];
  /** Ends the search, or the shrinking: the best counterexample so far is told. */
  readonly signal?: AbortSignal;
}

const usual = { runs: 200, jobs: 8, timeout: 12_000, shrinkAttempts: 500 };

/**
 * Explores a target. Yields events while it goes on; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for what cannot be used.
 */
export async function* explore(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  return yield* maskedRun(exploring, options);
}

async function* exploring(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  const { target, seed = randomInt(2 ** 31), runs = usual.runs, jobs = usual.jobs, timeout = usual.timeout } = options;
  const catalogue = loadRequirements();
  const run = runId();
  const startedAt = new Date().toISOString();
  const began = now();
  const { safety, signal, pair, dialect = 'documented', processes = 1 } = options;
  if (processes > 1 && (target.kind === 'url' || target.kind === 'fetch'))
    throw new UsageError('--processes goes with the reference CSE, of which each process has one');
  const arena = await openArena({ target, dialect, pair, jobs, timeout, startedAt: began, run, safety, signal });
  const head = { run, startedAt, seed, target: arena.description };
  const statistics = new Statistics();
  const finish = (rest: Partial<Found> & { departure?: Departure }): ExploreResult => {
    const { counterexample, lost, searched = 0, deaths = [], departure } = rest;
    const found = { statistics, deaths, interrupted: signal?.aborted === true, ...(lost !== undefined && { lost }) };
    return {
      ...head,
      took: since(began),
      sequences: statistics.sequences,
      steps: statistics.steps,
      searched,
      exercised: statistics.exercised(),
      ...(counterexample && { counterexample }),
      ...(deaths.length > 0 && { deaths }),
      notes: departure?.notes ?? [],
      exit: exitOf({ ...found, ...(counterexample && { counterexample }) }),
    };
  };
  yield {
    type: 'exploration started',
    run,
    target: arena.description,
    seed,
    planned: options.path === undefined ? runs : 1,
  };
  const result =
    'unreachable' in arena
      ? finish({ lost: arena.unreachable })
      : yield* within(arena, { ...options, seed, runs, run, began, statistics, catalogue }, finish);
  yield { type: 'exploration finished', result };
  return result;
}

interface Found {
  readonly counterexample: Counterexample;
  readonly lost: string;
  readonly searched: number;
  readonly deaths: readonly Death[];
}

type Told = ExploreOptions & {
  readonly seed: number;
  readonly runs: number;
  readonly run: string;
  /** `now()` at the start. */
  readonly began: number;
  readonly statistics: Statistics;
  readonly catalogue: ReturnType<typeof loadRequirements>;
};

/** Whenever the reader stops, everything that was created is removed and what is open is closed. */
async function* within(
  arena: Arena,
  told: Told,
  finish: (rest: Partial<Found> & { departure?: Departure }) => ExploreResult,
): AsyncGenerator<ExploreEvent, ExploreResult> {
  const { shrinkAttempts = usual.shrinkAttempts, path, maxTime } = told;
  const settings = {
    ...{ seed: told.seed, runs: told.runs, run: told.run, statistics: told.statistics, shrinkAttempts },
    ...defined({ path, maxTime, restart: told.restart }),
    startedAt: told.began,
    command: commandOf(told),
    judges: judgesOf(told, told.catalogue, arena.statement),
    requirements: told.catalogue.requirements,
  };
  let departure: Departure | undefined;
  let dead: string | undefined;
  const explored = yield* whileTold<ExploreEvent, Explored>(
    async (tell, signal) => {
      const others = defined({ elsewhere: elsewhere(told, signal) });
      const result = await new Explorer(arena, { ...settings, signal, tell, ...others }).explore();
      dead = result.dead;
      return result;
    },
    async (interrupted) => {
      departure = await arena.leave(interrupted, dead);
    },
    told.signal,
  );
  return finish({ ...explored, ...defined({ departure }) });
}

/** How several processes search; undefined where one does. */
function elsewhere(told: Told, signal: AbortSignal): ExplorerOptions['elsewhere'] {
  const { processes = 1, target, dialect, pair, focus, level, seed, runs, statistics } = told;
  const { jobs = usual.jobs, timeout = usual.timeout } = told;
  if (processes === 1) return undefined;
  const whole = { target, seed, runs, jobs, timeout, ...defined({ dialect, pair, focus, level }) };
  return (enough, counted) => searchParts({ whole, processes, statistics, signal, enough, told: counted });
}
