/** Explores a target: generated sequences of requests, judged by a model, until one shows a deviation, which is then made small. */
import type { TargetChoice } from '../check.ts';
import { defined } from '../engine/defined.ts';
import { UsageError } from '../engine/files/diagnostics.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { since } from '../engine/targets/target.ts';
import type { SafetyChoice } from '../safety/run-safety.ts';
import { maskedRun } from '../secrets/masked.ts';
import { type Arena, openArena } from './arena.ts';
import { beginning, campaign } from './campaign.ts';
import { commandOf } from './command.ts';
import type { ExploreEvent, ExploreResult } from './exploration.ts';
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

/** As they are for every exploration of sequences or programs. */
export const usual = { runs: 200, jobs: 8, timeout: 12_000, shrinkAttempts: 500 };

/**
 * Explores a target. Yields events while it goes on; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for what cannot be used.
 */
export async function* explore(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  return yield* maskedRun(exploring, options);
}

async function* exploring(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  const { target, runs = usual.runs, jobs = usual.jobs, timeout = usual.timeout, path, maxTime, restart } = options;
  const { safety, signal, pair, dialect = 'documented', processes = 1 } = options;
  const { run, startedAt, began, seed, catalogue } = beginning(options.seed);
  if (processes > 1 && (target.kind === 'url' || target.kind === 'fetch'))
    throw new UsageError('--processes goes with the reference CSE, of which each process has one');
  const place = await openArena({ target, dialect, pair, jobs, timeout, startedAt: began, run, safety, signal });
  const statistics = new Statistics();
  const { description } = place;
  const planned = path === undefined ? runs : 1;
  const settings = {
    ...{ seed, runs, run, statistics, shrinkAttempts: options.shrinkAttempts ?? usual.shrinkAttempts },
    ...defined({ path, maxTime, restart }),
    startedAt: began,
    command: commandOf(options),
    requirements: catalogue.requirements,
  };
  return yield* campaign<Arena, ExploreEvent, Explored, ExploreResult>({
    ...{ place, signal, started: { type: 'exploration started', run, target: description, seed, planned } },
    work: (arena, told) => {
      const judges = judgesOf(options, catalogue, arena.statement);
      const others = defined({ elsewhere: elsewhere({ ...options, seed, runs }, statistics, told.signal) });
      return new Explorer(arena, { ...settings, ...told, judges, ...others }).explore();
    },
    unreached: (lost) => ({ lost, searched: 0, deaths: [] }),
    finish: ({ counterexample, lost, searched, deaths }, notes) => ({
      ...{ run, startedAt, seed, target: description, took: since(began) },
      ...{ sequences: statistics.sequences, steps: statistics.steps, searched, exercised: statistics.exercised() },
      ...(counterexample && { counterexample }),
      ...(deaths.length > 0 && { deaths }),
      notes,
      exit: exitOf({
        ...{ statistics, deaths, interrupted: signal?.aborted === true },
        ...defined({ counterexample, lost }),
      }),
    }),
  });
}

/** How several processes search; undefined where one does. */
function elsewhere(
  asked: ExploreOptions & { readonly seed: number; readonly runs: number },
  statistics: Statistics,
  signal: AbortSignal,
): ExplorerOptions['elsewhere'] {
  const { processes = 1, target, dialect, pair, focus, level, seed, runs } = asked;
  const { jobs = usual.jobs, timeout = usual.timeout } = asked;
  if (processes === 1) return undefined;
  const whole = { target, seed, runs, jobs, timeout, ...defined({ dialect, pair, focus, level }) };
  return (enough, counted) => searchParts({ whole, processes, statistics, signal, enough, told: counted });
}
