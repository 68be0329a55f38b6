/** A process that searches the parts that it is sent. */

import { loadRequirements } from '../../engine/files/catalogue.ts';
import { now } from '../../engine/messages/target.ts';
import { serveTasks } from '../../engine/processes/crew.ts';
import { runId } from '../../engine/running/scenario/scenario-names.ts';
import { type ArenaOptions, openArena } from '../search/arena.ts';
import { counter } from '../search/campaign.ts';
import { type Focus, judgesOf, knownBy } from '../search/focus.ts';
import { search } from '../search/seeded.ts';
import { type Exercised, Statistics } from '../search/statistics.ts';
import { languageOf } from '../sequences/language.ts';
import { failedIn } from '../sequences/sequence-run.ts';
import { sequenceRunner } from '../sequences/sequence-runner.ts';

/** Some of the sequences of a seed, in words that can be sent to another process. */
export interface SearchPart extends Pick<ArenaOptions, 'target' | 'jobs' | 'timeout'>, Focus {
  readonly pair?: boolean;
  readonly seed: number;
  /** Number of the first. */
  readonly from: number;
  readonly runs: number;
}

export interface PartSearched {
  readonly sequences: number;
  readonly steps: number;
  readonly exercised: Exercised;
  /** Of the first sequence that failed. */
  readonly path?: string;
  readonly lost?: string;
}

/** Runs the sequences of a part on a CSE of their own, until one fails. */
async function searchPart(part: SearchPart): Promise<PartSearched> {
  const run = runId();
  const statistics = new Statistics();
  const arena = await openArena({ ...part, run, startedAt: now() });
  if ('unreachable' in arena)
    return { sequences: 0, steps: 0, exercised: statistics.exercised(), lost: arena.unreachable };
  const judges = judgesOf(part, loadRequirements(), arena.statement);
  const { signal } = new AbortController();
  const runSequence = sequenceRunner(arena, { run, nextNumber: counter(), judges, known: knownBy(part), signal });
  const { seed, from, runs } = part;
  const how = { seed, from, runs, jobs: arena.jobs, made: languageOf(arena).sequences, enough: () => false };
  try {
    const { all, cut } = await search(how, async (operations) => {
      statistics.sequences += 1;
      return failedIn(await runSequence(operations, statistics));
    });
    const { sequences, steps } = statistics;
    const ended = { ...(all[0] && { path: all[0].path }), ...(cut[0] && { lost: cut[0].shown.message }) };
    return { sequences, steps, exercised: statistics.exercised(), ...ended };
  } finally {
    await arena.leave(false);
  }
}

serveTasks(searchPart);
