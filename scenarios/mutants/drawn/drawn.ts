/** Runs the harness against deviations that a seed draws: a score that nobody can tune. */
import { extname } from 'node:path';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { type Answered, type CrewOptions, workThrough } from '../../engine/processes/crew.ts';
import { type TellingWork, whileTold } from '../../engine/running/while-told.ts';
import {
  attributesIn,
  drawDeviations,
  operatorOf,
  wordsFor,
} from '../../engine/targets/embedded/simulated-deviations.ts';
import { now, since } from '../../engine/targets/target.ts';
import { type DrawnRow, type DrawnSight, verdictOn } from './drawn-row.ts';
import type { DrawnTask } from './worker.ts';

export interface DrawnOptions {
  /** So many that are active. */
  readonly count: number;
  /** 1 when absent. */
  readonly seed?: number;
  /** `documented` when absent. */
  readonly dialect?: Dialect;
  /** Processes at the same time; 2 when absent. */
  readonly workers?: number;
  /** Milliseconds for one deviation; five minutes when absent. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface DrawnTable {
  readonly startedAt: string;
  readonly dialect: Dialect;
  readonly seed: number;
  /** Drawn in all: the others do nothing that could be shown. */
  readonly drawn: number;
  /** Those that are active, in the order in which they were drawn. */
  readonly rows: readonly DrawnRow[];
  readonly interrupted: boolean;
  /** Milliseconds. */
  readonly took: number;
}

/** One more was judged. */
export interface DrawnJudged {
  readonly row: DrawnRow;
  readonly done: number;
  readonly chosen: number;
}

/** Throws UsageError where none is asked for. */
export async function* drawn(options: DrawnOptions): AsyncGenerator<DrawnJudged, DrawnTable> {
  const { count, seed = 1, dialect = 'documented', workers = 2, limit = 300_000, signal } = options;
  if (count < 1) throw new UsageError('--drawn is at least 1');
  const startedAt = new Date().toISOString();
  const started = now();
  const active: DrawnRow[] = [];
  let number = 0;
  const tasks = function* (): Generator<DrawnTask> {
    for (const deviation of drawDeviations(dialect, seed)) {
      if (active.length >= count) return;
      yield { number: number++, deviation, dialect, seed };
    }
  };
  const module = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  for await (const row of judged(tasks(), { module, workers, limit, ...(signal && { signal }) })) {
    active.push(row);
    if (active.length <= count) yield { row, done: active.length, chosen: count };
  }
  // Whichever came to its end first: the same seed gives the same rows.
  const rows = active.sort((a, b) => a.number - b.number).slice(0, count);
  return { startedAt, dialect, seed, drawn: number, rows, interrupted: rows.length < count, took: since(started) };
}

async function* judged(tasks: Iterable<DrawnTask>, crew: CrewOptions): AsyncGenerator<DrawnRow, void> {
  const work: TellingWork<DrawnRow, void> = (tell, signal) => {
    const told = (task: DrawnTask, answered: Answered<DrawnSight>) => {
      const row = rowOf(task, answered);
      if (row !== undefined) tell(row);
    };
    return workThrough<DrawnTask, DrawnSight>(tasks, told, { ...crew, signal });
  };
  return yield* whileTold(work, async () => {}, crew.signal);
}

const unknown = { requests: [], sound: '', deviating: '' };

/** Undefined for what does nothing. */
function rowOf({ number, deviation }: DrawnTask, answered: Answered<DrawnSight>): DrawnRow | undefined {
  const about = { number, deviation, says: wordsFor(deviation), operator: operatorOf(deviation) };
  if (!('sight' in answered)) {
    const reason = Object.entries(answered).map(([how, why]) => `the worker ${how}: ${why}`)[0] ?? '';
    return { ...about, witness: unknown, verdict: 'not judged', violations: [], reason, took: 0 };
  }
  const { witness, sight } = answered.sight;
  if (witness === undefined || sight === undefined) return undefined;
  const verdict = verdictOn(sight, { ...deviation, attributes: attributesIn(deviation) });
  const [reason] = sight.troubles;
  return {
    ...about,
    witness,
    verdict,
    violations: sight.violations,
    took: sight.took,
    ...(reason !== undefined && { reason }),
  };
}
