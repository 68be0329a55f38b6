/** Searches the sequences of a seed in several processes, each with a reference CSE of its own. */
import { extname } from 'node:path';
import { workThrough } from '../../engine/processes/crew.ts';
import type { Settings } from '../search/campaign.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import type { Statistics } from '../search/statistics.ts';
import type { ExploreResult } from './exploration.ts';

/** Some of the sequences of a seed, in words that can be sent to another process. */
export type SearchPart = Pick<
  ExploreOptions,
  'target' | 'jobs' | 'timeout' | 'pair' | 'dialect' | 'focus' | 'except' | 'level' | 'seed' | 'from' | 'runs'
>;

/** What counts all that they do, says when nothing more is begun, and tells how far it is. */
interface Counting extends Pick<Settings<never>, 'runs' | 'signal' | 'enough' | 'tellHowFar'> {
  readonly statistics: Statistics;
}

/** Sequences that a process is given at a time: so few that all end at about the same time, so many that it is worth the while. */
const sizes = { least: 10, most: 100 };
/** Milliseconds for one part. */
const longest = 600_000;

/** The path of the first sequence that failed, whichever process came upon it. Rejects when a process cannot do its part. */
export async function searchParts(
  whole: SearchPart,
  processes: number,
  { runs, signal, enough, tellHowFar, statistics }: Counting,
): Promise<{ readonly path?: string | undefined; readonly lost?: string | undefined }> {
  const paths: string[] = [];
  const problems: string[] = [];
  let lost: string | undefined;
  const size = Math.min(sizes.most, Math.max(sizes.least, Math.ceil(runs / processes / 4)));
  /** In the order of the sequences, so that whatever comes before one that failed has been begun. */
  function* parts(): Generator<SearchPart> {
    const isOver = () => problems.length + paths.length > 0 || lost !== undefined || enough();
    for (let from = 0; from < runs && !isOver(); from += size)
      yield { ...whole, from, runs: Math.min(size, runs - from) };
  }
  const crew = { module: new URL(`./worker${extname(import.meta.url)}`, import.meta.url), workers: processes };
  await workThrough<SearchPart, ExploreResult>(
    parts(),
    (_, answered) => {
      if (!('sight' in answered)) return void problems.push(Object.values(answered).join());
      const { sequences, steps, exercised, counterexample, exit } = answered.sight;
      statistics.add(sequences, steps, exercised);
      if (counterexample !== undefined) paths.push(counterexample.path);
      else if (exit.code === 3) lost ??= exit.reason;
      tellHowFar();
    },
    { ...crew, limit: longest, signal },
  );
  if (problems[0] !== undefined) throw new Error(`a process that explored could not go on: ${problems[0]}`);
  return { path: paths.sort((a, b) => Number(a) - Number(b))[0], lost };
}
