/** Runs the harness against deviations that a seed draws: a score that nobody can tune. */
import { extname } from 'node:path';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { type Answered, type CrewOptions, workThrough } from '../../engine/processes/crew.ts';
import { type TellingWork, whileTold } from '../../engine/running/while-told.ts';
import {
  attributesIn,
  drawDeviations,
  drawVariations,
  operatorOf,
  wordsFor,
  wordsForVariations,
} from '../../engine/targets/embedded/simulated-deviations.ts';
import { now, since } from '../../engine/targets/target.ts';
import type { Sight } from '../mutant.ts';
import {
  type Drawn,
  type DrawnRow,
  type DrawnSight,
  type DrawnVerdict,
  verdictOn,
  verdictOnSound,
} from './drawn-row.ts';
import type { DrawnTask } from './worker.ts';

export interface DrawnOptions {
  /** So many; of deviations, those that are active. */
  readonly count: number;
  /** What deviates, which is to be found (when absent); or what is allowed, which is not. */
  readonly of?: 'deviations' | 'variations';
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
  readonly of: 'deviations' | 'variations';
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
  const { count, of = 'deviations', seed = 1, dialect = 'documented', workers = 2, limit = 300_000, signal } = options;
  if (count < 1) throw new UsageError('at least one is to be drawn');
  const startedAt = new Date().toISOString();
  const started = now();
  const found: DrawnRow[] = [];
  let number = 0;
  const tasks = function* (): Generator<DrawnTask> {
    for (const one of drawnOf(of, dialect, seed)) {
      if (found.length >= count) return;
      yield { number: number++, drawn: one, dialect, seed };
    }
  };
  const module = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  for await (const row of judged(tasks(), { module, workers, limit, ...(signal && { signal }) })) {
    found.push(row);
    if (found.length <= count) yield { row, done: found.length, chosen: count };
  }
  // Whichever came to its end first: the same seed gives the same rows.
  const rows = found.sort((a, b) => a.number - b.number).slice(0, count);
  return {
    ...{ startedAt, of, dialect, seed, drawn: number, rows },
    interrupted: rows.length < count,
    took: since(started),
  };
}

function* drawnOf(of: DrawnTable['of'], dialect: Dialect, seed: number): Generator<Drawn> {
  if (of === 'deviations') for (const deviation of drawDeviations(dialect, seed)) yield { deviation };
  else for (const variations of drawVariations(dialect, seed)) yield { variations };
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

/** Undefined for a deviation that does nothing. */
function rowOf({ number, drawn: what }: DrawnTask, answered: Answered<DrawnSight>): DrawnRow | undefined {
  const about = { number, drawn: what, ...wordsOf(what) };
  if (!('sight' in answered)) {
    const reason = Object.entries(answered).map(([how, why]) => `the worker ${how}: ${why}`)[0] ?? '';
    return { ...about, verdict: 'not judged', violations: [], reason, took: 0 };
  }
  const { witness, sight } = answered.sight;
  if (sight === undefined) return undefined;
  const { violations, took, troubles } = sight;
  const [reason] = troubles;
  return {
    ...{ ...about, verdict: verdictOf(what, sight), violations, took },
    ...(witness && { witness }),
    ...(reason !== undefined && { reason }),
  };
}

function verdictOf(what: Drawn, sight: Sight): DrawnVerdict {
  if ('variations' in what) return verdictOnSound(sight);
  return verdictOn(sight, { ...what.deviation, attributes: attributesIn(what.deviation) });
}

function wordsOf(what: Drawn): Pick<DrawnRow, 'says' | 'operator'> {
  if ('deviation' in what) return { says: wordsFor(what.deviation), operator: operatorOf(what.deviation) };
  const kinds = what.variations.flatMap((one) => Object.keys(one));
  return { says: wordsForVariations(what.variations), operator: kinds.sort().join(' + ') };
}
