/** Explores a target by several originators at the same time: what they are answered has to be explained by some order of their requests. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { maskedRun } from '../../safety/masked.ts';
import { type Arena, openArena } from '../search/arena.ts';
import { type CampaignEnd, campaign, exitOf, judgingOf, plainly, violation } from '../search/campaign.ts';
import { type ExploreOptions, usual } from '../search/explore-options.ts';
import { type TogetherEvent, type TogetherResult, TogetherStatistics } from './together-exploration.ts';
import { type TogetherExplored, TogetherExplorer } from './together-explorer.ts';

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
  const { target, safety, concurrency: originators } = options;
  const statistics = new TogetherStatistics();
  return yield* campaign<Arena, TogetherEvent, TogetherExplored, TogetherResult>(options, {
    ...{ ...plainly, usual, started: (started) => ({ ...started, originators }) },
    open: (opening) => openArena({ ...opening, target, safety, jobs: originators }),
    work: async (arena, settings) => {
      const judging = judgingOf(options, settings, arena.statement);
      return new TogetherExplorer(arena, { ...settings, ...judging, originators, statistics }).explore();
    },
    searched: () => ({ type: 'searched', histories: statistics.sequences, steps: statistics.steps }),
    unreached: (lost) => ({ lost }),
    finish: ({ counterexample, lost }, common, interrupted) => {
      const { sequences: tried, explained, undecided, overlaps, unanswered, steps } = statistics;
      const histories = { tried, explained, undecided };
      return {
        ...{ ...common, ...defined({ counterexample }), originators, histories, overlaps, unanswered, steps },
        exercised: statistics.exercised(),
        exit: exitOf({
          ...{ interrupted, lost, ...decidedBy({ histories, overlaps }) },
          found: counterexample && violation(counterexample.requirement, counterexample.seen.times > 0),
        }),
      };
    },
  });
}

/** What can be said of histories that nothing contradicts. */
export function decidedBy({
  histories: { tried, explained, undecided },
  overlaps,
}: Pick<TogetherResult, 'histories' | 'overlaps'>): Pick<CampaignEnd, 'nothing' | 'sound'> {
  const sound = `some order explains each of ${explained} histories`;
  if (overlaps === 0) return { sound, nothing: 'no two requests were ever under way at the same moment' };
  if (explained === 0) return { sound, nothing: `none of ${tried} histories could be decided` };
  return { sound: undecided === 0 ? sound : `${sound}; ${undecided} had too many orders to try them all` };
}
