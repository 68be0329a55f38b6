/** Explores a target by several originators at the same time: what they are answered has to be explained by some order of their requests. */
import { randomInt } from 'node:crypto';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import { UsageError } from '../../engine/files/diagnostics.ts';
import { runId } from '../../engine/running/run-id.ts';
import { whileTold } from '../../engine/running/while-told.ts';
import { now, since } from '../../engine/targets/target.ts';
import type { Departure } from '../../safety/run-safety.ts';
import { maskedRun } from '../../secrets/masked.ts';
import { type Arena, openArena } from '../arena.ts';
import { commandOf } from '../command.ts';
import type { ExploreOptions } from '../explore.ts';
import { judgesOf } from '../focus.ts';
import { Statistics } from '../statistics.ts';
import type { TogetherEvent, TogetherResult, UnexplainedHistory } from './together-exploration.ts';
import { TogetherExplorer, type TogetherExplorerOptions } from './together-explorer.ts';
import { exitOfTogether } from './together-outcome.ts';

/** As of an exploration by one originator; `runs` are programs, one at a time. */
export interface TogetherOptions extends Omit<ExploreOptions, 'jobs' | 'pair'> {
  /** Originators at the same time, each with a connection of its own. */
  readonly concurrency: number;
}

const usual = { runs: 200, timeout: 12_000, shrinkAttempts: 500 };
const originatorsAtMost = 16;

/**
 * Yields events while it goes on; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for what cannot be used.
 */
export async function* exploreTogether(options: TogetherOptions): AsyncGenerator<TogetherEvent, TogetherResult> {
  return yield* maskedRun(exploring, options);
}

/** Throws a UsageError for originators of whom there cannot be so many at the same time. */
function refuseTooMany({ concurrency, target }: TogetherOptions): void {
  if (!Number.isInteger(concurrency) || concurrency < 2 || concurrency > originatorsAtMost) {
    throw new UsageError(`--concurrency is a number of originators from 2 to ${originatorsAtMost}`);
  }
  const most = target.kind === 'url' ? target.connections : undefined;
  if (most === undefined || most >= concurrency) return;
  const limit = most === 1 ? 'one connection at a time' : `${most} connections at the same time`;
  throw new UsageError(`--concurrency ${concurrency} needs as many connections; this target is to have ${limit}`);
}

async function* exploring(options: TogetherOptions): AsyncGenerator<TogetherEvent, TogetherResult> {
  refuseTooMany(options);
  const { target, concurrency, seed = randomInt(2 ** 31), runs = usual.runs, timeout = usual.timeout } = options;
  const catalogue = loadRequirements();
  const run = runId();
  const startedAt = new Date().toISOString();
  const began = now();
  const { safety, signal, path, maxTime, shrinkAttempts = usual.shrinkAttempts } = options;
  const arena = await openArena({ target, jobs: concurrency, timeout, startedAt: began, run, safety, signal });
  const { description } = arena;
  const head = { run, startedAt, target: description, seed, originators: concurrency };
  const planned = path === undefined ? runs : 1;
  const statistics = new Statistics();
  const finish = (found: Ended): TogetherResult => ({
    ...head,
    took: since(began),
    ...resultOf(found, statistics, signal?.aborted === true),
  });
  yield { type: 'exploration started', run, target: description, seed, originators: concurrency, planned };
  if ('unreachable' in arena) return yield* ending(finish({ tried: nothingTried, lost: arena.unreachable }));
  const settings = {
    ...{ seed, originators: concurrency, runs, path, maxTime, shrinkAttempts, run, statistics },
    command: commandOf(options),
    judges: judgesOf(options, catalogue, arena.statement),
    requirements: catalogue.requirements,
  };
  return yield* ending(finish(yield* within(arena, settings, signal)));
}

async function* ending(result: TogetherResult): AsyncGenerator<TogetherEvent, TogetherResult> {
  yield { type: 'exploration finished', result };
  return result;
}

const nothingTried: TogetherExplorer['tried'] = { explained: 0, undecided: 0, overlaps: 0, unanswered: 0 };

interface Ended {
  readonly tried: TogetherExplorer['tried'];
  readonly counterexample?: UnexplainedHistory;
  readonly lost?: string;
  readonly departure?: Departure | undefined;
}

async function* within(
  arena: Arena,
  settings: Omit<TogetherExplorerOptions, 'signal' | 'tell'>,
  interruption: AbortSignal | undefined,
): AsyncGenerator<TogetherEvent, Ended> {
  let departure: Departure | undefined;
  const found = yield* whileTold<TogetherEvent, Omit<Ended, 'departure'>>(
    async (tell, signal) => {
      const explorer = new TogetherExplorer(arena, { ...settings, signal, tell });
      const explored = await explorer.explore();
      return { tried: explorer.tried, ...explored };
    },
    async (interrupted) => {
      departure = await arena.leave(interrupted);
    },
    interruption,
  );
  return { ...found, departure };
}

function resultOf(
  { tried, counterexample, lost, departure }: Ended,
  statistics: Statistics,
  interrupted: boolean,
): Omit<TogetherResult, 'run' | 'startedAt' | 'took' | 'target' | 'seed' | 'originators'> {
  const { sequences, steps } = statistics;
  const { explained, undecided, overlaps, unanswered } = tried;
  const histories = { tried: sequences, explained, undecided };
  return {
    ...{ histories, overlaps, unanswered, steps },
    exercised: statistics.exercised(),
    ...(counterexample && { counterexample }),
    notes: departure?.notes ?? [],
    exit: exitOfTogether({ histories, overlaps, interrupted, counterexample, lost }),
  };
}
