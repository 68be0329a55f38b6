/** Searches the sequences of a seed in several processes, each with a reference CSE of its own. */
import { extname } from 'node:path';
import { runTasks } from '../../engine/processes/worker-pool.ts';
import type { Settings } from '../search/campaign.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import type { Statistics } from '../search/statistics.ts';
import type { ExploreResult } from './exploration.ts';

/** Some of the sequences of a seed, as data for another process. */
export type SearchPart = Pick<
  ExploreOptions,
  'target' | 'jobs' | 'timeout' | 'pair' | 'dialect' | 'focus' | 'except' | 'level' | 'seed' | 'from' | 'runs'
>;

/** Counts all that they do, says when to stop, and reports progress. */
interface Counting extends Pick<Settings<never>, 'runs' | 'signal' | 'enough' | 'reportProgress'> {
  readonly statistics: Statistics;
}

/** Sequences for a process at a time: few enough that all end together, enough to be worth the while. */
const sizes = { least: 10, most: 100 };
/** Milliseconds for one part. */
const longest = 600_000;

/** Why the search stops: the path of a sequence that failed, or what went wrong. */
type PartEnd = Readonly<Partial<Record<'path' | 'lost' | 'problem', string>>>;

/** The path of the first sequence that failed, whichever process found it. Rejects when a process cannot do its part. */
export async function searchParts(whole: SearchPart, processes: number, counting: Counting): Promise<PartEnd> {
  const { statistics, signal, reportProgress } = counting;
  const ends: PartEnd[] = [];
  const pool = { module: new URL(`./worker${extname(import.meta.url)}`, import.meta.url), workers: processes };
  await runTasks<SearchPart, ExploreResult>(
    partsOf(whole, processes, { ...counting, enough: () => ends.length > 0 || counting.enough() }),
    (_, reply) => {
      if (!('result' in reply)) return void ends.push({ problem: Object.values(reply).join() });
      const { sequences, steps, exercised, counterexample, exit } = reply.result;
      statistics.add(sequences, steps, exercised);
      if (counterexample !== undefined) ends.push({ path: counterexample.path });
      else if (exit.code === 3) ends.push({ lost: exit.reason });
      reportProgress();
    },
    { ...pool, limit: longest, signal },
  );
  const problem = ends.find((end) => end.problem !== undefined)?.problem;
  if (problem !== undefined) throw new Error(`a search process failed: ${problem}`);
  const failed = ends.filter(({ path }) => path !== undefined).sort((a, b) => Number(a.path) - Number(b.path));
  return failed[0] ?? ends[0] ?? {};
}

/** In the order of the sequences, so that all before a failed one have begun. */
function* partsOf(whole: SearchPart, processes: number, { runs, enough }: Counting): Generator<SearchPart> {
  const size = Math.min(sizes.most, Math.max(sizes.least, Math.ceil(runs / processes / 4)));
  for (let from = 0; from < runs && !enough(); from += size)
    yield { ...whole, from, runs: Math.min(size, runs - from) };
}
