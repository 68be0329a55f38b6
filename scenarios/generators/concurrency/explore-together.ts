/** Explores a target by several originators at the same time: what they are answered has to be explained by some order of their requests. */
import { defined } from '../../engine/defined.ts';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Exit } from '../../engine/result.ts';
import { since } from '../../engine/targets/target.ts';
import { maskedRun } from '../../secrets/masked.ts';
import { type Arena, openArena } from '../arena.ts';
import { beginning, campaign } from '../campaign.ts';
import { commandOf } from '../command.ts';
import { type ExploreOptions, usual } from '../explore.ts';
import { judgesOf } from '../focus.ts';
import { exitOfFound } from '../outcome.ts';
import { Statistics } from '../statistics.ts';
import type { TogetherEvent, TogetherResult } from './together-exploration.ts';
import { nothingTried, type TogetherExplored, TogetherExplorer } from './together-explorer.ts';

/** As of an exploration by one originator; `runs` are programs, one at a time. */
export interface TogetherOptions extends Omit<ExploreOptions, 'jobs' | 'pair'> {
  /** Originators at the same time, each with a connection of its own. */
  readonly concurrency: number;
}

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
  const { target, concurrency: originators, runs = usual.runs, timeout = usual.timeout, path, maxTime } = options;
  const { safety, signal, shrinkAttempts = usual.shrinkAttempts } = options;
  const { run, startedAt, began, seed, catalogue } = beginning(options.seed);
  const place = await openArena({ target, jobs: originators, timeout, startedAt: began, run, safety, signal });
  const { description } = place;
  const head = { run, target: description, seed, originators };
  const statistics = new Statistics();
  const settings = {
    ...{ seed, originators, runs, path, maxTime, shrinkAttempts, run, statistics },
    command: commandOf(options),
    requirements: catalogue.requirements,
  };
  const planned = path === undefined ? runs : 1;
  return yield* campaign<Arena, TogetherEvent, TogetherExplored, TogetherResult>({
    ...{ place, signal, started: { type: 'exploration started', ...head, planned } },
    work: (arena, told) => {
      const judges = judgesOf(options, catalogue, arena.statement);
      return new TogetherExplorer(arena, { ...settings, ...told, judges }).explore();
    },
    unreached: (lost) => ({ tried: nothingTried, lost }),
    finish: ({ tried, counterexample, lost }, notes) => {
      const { explained, undecided, overlaps, unanswered } = tried;
      const histories = { tried: statistics.sequences, explained, undecided };
      const ended = { histories, overlaps, interrupted: signal?.aborted === true, counterexample, lost };
      return {
        ...{ ...head, startedAt, took: since(began), histories, overlaps, unanswered, steps: statistics.steps },
        ...{ exercised: statistics.exercised(), notes, exit: exitOfTogether(ended) },
        ...defined({ counterexample }),
      };
    },
  });
}

interface Ended extends Pick<TogetherResult, 'histories' | 'overlaps'> {
  readonly interrupted: boolean;
  readonly counterexample: TogetherResult['counterexample'] | undefined;
  /** Why the target cannot be asked any more. */
  readonly lost: string | undefined;
}

/** The exit code of an exploration by several originators, and its reason. */
export function exitOfTogether({ histories, overlaps, interrupted, counterexample, lost }: Ended): Exit {
  if (interrupted) return { code: 130, reason: 'interrupted' };
  if (counterexample !== undefined) {
    const { requirement, seen } = counterexample;
    return exitOfFound({ requirement, confirmed: seen.times > 0 });
  }
  if (lost !== undefined) return { code: 3, reason: `the target could not be reached: ${lost}` };
  const { tried, explained, undecided } = histories;
  if (overlaps === 0) return { code: 4, reason: 'no two requests were ever under way at the same moment' };
  if (explained === 0) return { code: 4, reason: `none of ${tried} histories could be decided` };
  const rest = undecided === 0 ? '' : `; ${undecided} had too many orders to try them all`;
  return { code: 0, reason: `some order explains each of ${explained} histories${rest}` };
}
