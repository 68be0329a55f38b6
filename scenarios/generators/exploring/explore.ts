/** Explores a target: generated sequences of requests, judged by rules, until one shows a deviation, which is then made small. */
import { defined } from '../../engine/basics/defined.ts';
import { UsageError } from '../../engine/basics/diagnostics.ts';
import { deathSentence } from '../../engine/judging/exit-words.ts';
import type { Death, Exit } from '../../engine/results/result.ts';
import { maskedRun } from '../../safety/masked.ts';
import { type Arena, openArena } from '../search/arena.ts';
import { type CampaignEnd, campaign, exitOfCampaign, judgingOf, plainly } from '../search/campaign.ts';
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
    finish: ({ counterexample, lost, searched, deaths }, common, interrupted) => ({
      ...common,
      ...{ sequences: statistics.sequences, steps: statistics.steps, searched, exercised: statistics.exercised() },
      ...(counterexample && { counterexample }),
      ...(deaths.length > 0 && { deaths }),
      exit: exitOf({ statistics, deaths, interrupted, ...defined({ counterexample, lost }) }),
    }),
  });
}

interface Ended extends CampaignEnd {
  readonly statistics: Statistics;
  readonly deaths?: readonly Death[];
}

/** The exit code of an exploration and its reason, as a run of scenarios has them. */
function exitOf(ended: Ended): Exit {
  const exit = exitOfAnswers(ended);
  const { deaths = [], counterexample } = ended;
  const death = deathSentence(deaths);
  if (death === undefined || exit.code === 130) return exit;
  if (deaths.some(({ culprit }) => culprit !== undefined)) return { code: 1, reason: death };
  const answers = counterexample === undefined ? [] : [exit.reason];
  return { code: exit.code === 1 ? 1 : 3, reason: [death, ...answers].join('; ') };
}

function exitOfAnswers({ statistics, ...ended }: Ended): Exit {
  const exit = exitOfCampaign(ended);
  if (exit !== undefined) return exit;
  const { sequences, steps } = statistics;
  const judged = Object.keys(statistics.exercised().requirements).length;
  if (judged === 0) return { code: 4, reason: 'nothing was judged' };
  return { code: 0, reason: `no deviation in ${sequences} sequences with ${steps} requests` };
}
