/** Searches the sequences of a seed in several processes, each with a reference CSE of its own. */
import { extname } from 'node:path';
import { workThrough } from '../../engine/processes/crew.ts';
import type { Statistics } from '../search/statistics.ts';
import type { PartSearched, SearchPart } from './worker.ts';

export interface PartsOptions {
  /** All of it. */
  readonly whole: Omit<SearchPart, 'from'>;
  /** At the same time. */
  readonly processes: number;
  /** Counts what all of them did. */
  readonly statistics: Statistics;
  readonly signal: AbortSignal;
  /** After this nothing more is begun. */
  readonly enough: () => boolean;
  /** Called whenever more has been counted. */
  readonly told: () => void;
}

/** Sequences that a process is given at a time: so few that all end at about the same time, so many that it is worth the while. */
const sizes = { least: 10, most: 100 };
/** Milliseconds for one part. */
const longest = 600_000;

/** The path of the first sequence that failed, whichever process came upon it. Rejects when a process cannot do its part. */
export async function searchParts(options: PartsOptions): Promise<{ readonly path?: string; readonly lost?: string }> {
  const { processes, statistics, signal, told } = options;
  const all: PartSearched[] = [];
  const problems: string[] = [];
  const isOver = () => problems.length > 0 || all.some(({ path, lost }) => path !== undefined || lost !== undefined);
  const crew = { module: new URL(`./worker${extname(import.meta.url)}`, import.meta.url), workers: processes };
  await workThrough<SearchPart, PartSearched>(
    partsOf(options, isOver),
    (_, answered) => {
      if (!('sight' in answered)) return void problems.push(Object.values(answered).join());
      const { sequences, steps, exercised } = answered.sight;
      statistics.add(sequences, steps, exercised);
      all.push(answered.sight);
      told();
    },
    { ...crew, limit: longest, signal },
  );
  if (problems[0] !== undefined) throw new Error(`a process that explored could not go on: ${problems[0]}`);
  const [path] = all.flatMap((one) => one.path ?? []).sort((a, b) => Number(a) - Number(b));
  const lost = all.find((one) => one.lost !== undefined)?.lost;
  return { ...(path !== undefined && { path }), ...(lost !== undefined && { lost }) };
}

/** In the order of the sequences, so that whatever comes before one that failed has been begun. */
function* partsOf({ whole, processes, enough }: PartsOptions, isOver: () => boolean): Generator<SearchPart> {
  const { runs } = whole;
  const size = Math.min(sizes.most, Math.max(sizes.least, Math.ceil(runs / processes / 4)));
  for (let from = 0; from < runs && !isOver() && !enough(); from += size) {
    yield { ...whole, from, runs: Math.min(size, runs - from) };
  }
}
