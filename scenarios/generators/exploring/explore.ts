/** Explores a target: generated sequences of requests, judged by rules, until one shows a deviation, which is then made small. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { maskedRun } from '../../safety/masked.ts';
import { type Arena, openArena } from '../search/arena.ts';
import { campaign, exitOf, judgingOf, plainly, violation } from '../search/campaign.ts';
import { type ExploreOptions, usual } from '../search/explore-options.ts';
import { Statistics } from '../search/statistics.ts';
import type { ExploreEvent, ExploreResult } from './exploration.ts';
import { type Explored, Explorer } from './explorer.ts';

/**
 * Explores a target. Yields events while it goes on; the last one carries the result, which is also the return value.
 * Throws UsageError before the first event for what cannot be used.
 */
export async function* explore(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  return yield* maskedRun(exploring, options);
}

async function* exploring(options: ExploreOptions): AsyncGenerator<ExploreEvent, ExploreResult> {
  const { target, safety, jobs = usual.jobs, pair, dialect, focus, except, level, processes = 1, restart } = options;
  if (processes > 1 && (target.kind === 'url' || target.kind === 'fetch'))
    throw new UsageError('--processes goes with the reference CSE, of which each process has one');
  const statistics = new Statistics();
  return yield* campaign<Arena, ExploreEvent, Explored, ExploreResult>(options, {
    ...{ ...plainly, usual },
    open: (opening) => openArena({ ...opening, target, safety, dialect, pair, jobs }),
    work: async (arena, settings) => {
      const judging = judgingOf(options, settings, arena.statement);
      const whole = { target, jobs, timeout: settings.timeout, ...defined({ dialect, pair, focus, except, level }) };
      const parts = processes === 1 ? undefined : { processes, whole };
      return new Explorer(arena, { ...settings, ...judging, statistics, ...defined({ restart, parts }) }).explore();
    },
    searched: () => ({ type: 'searched', sequences: statistics.sequences, steps: statistics.steps }),
    deadIn: ({ dead }) => dead,
    unreached: (lost) => ({ lost, searched: 0, deaths: [] }),
    finish: ({ counterexample, lost, searched, deaths }, common, interrupted) => {
      const { sequences, steps } = statistics;
      const exercised = statistics.exercised();
      const isKilled = deaths.some(({ culprit }) => culprit !== undefined);
      const found = counterexample && violation(counterexample.requirement, counterexample.confirmed);
      return {
        ...{ ...common, sequences, steps, searched, exercised, ...defined({ counterexample }) },
        ...(deaths.length > 0 && { deaths }),
        exit: exitOf({
          ...{ interrupted, lost, deaths: [['', deaths]] },
          // The death is what was found.
          found: isKilled ? undefined : found,
          nothing: Object.keys(exercised.requirements).length === 0 ? 'nothing was judged' : undefined,
          sound: `no deviation in ${sequences} sequences with ${steps} requests`,
        }),
      };
    },
  });
}
