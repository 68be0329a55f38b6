/** Lets the generators alone look for faults: how many they find, in how many requests, and how short what they find becomes. */
import { extname } from 'node:path';
import { loadRequirements } from '../../engine/files/catalogue.ts';
import { UsageError } from '../../engine/files/diagnostics.ts';
import type { Answered } from '../../engine/processes/crew.ts';
import type { FaultFacts } from '../../engine/targets/embedded/simulated-faults.ts';
import { now, since } from '../../engine/targets/target.ts';
import { chooseFaults, type FaultChoice } from '../choose-faults.ts';
import { worked } from '../mutant.ts';
import { dialectOf } from '../scope.ts';
import { type GeneratedRow, type GeneratedTable, generatedRowOf, generatedTotalsOf } from './generated-table.ts';
import type { Catch, Hunt } from './hunt.ts';

export interface GeneratedOptions extends FaultChoice {
  /** Those of the simulator when absent. */
  readonly faults?: readonly FaultFacts[];
  /** What the sequences are made from; 1 when absent. */
  readonly seed?: number;
  /** Sequences for each fault at the most; 2,000 when absent. */
  readonly runs?: number;
  /** Processes at the same time; 2 when absent. */
  readonly workers?: number;
  /** Milliseconds for one fault, after which its worker counts as hung; five minutes when absent. */
  readonly limit?: number;
  /** The module that each process runs; the one that explores the simulator when absent. */
  readonly worker?: URL;
  readonly signal?: AbortSignal;
}

/** One more fault was looked for. */
interface FaultLookedFor {
  readonly row: GeneratedRow;
  readonly done: number;
  readonly chosen: number;
}

/** Looks for faults in several processes. Throws UsageError for a choice that means no fault. */
export async function* generated(options: GeneratedOptions = {}): AsyncGenerator<FaultLookedFor, GeneratedTable> {
  const { seed = 1, runs = 2000, workers = 2, limit = 300_000, signal } = options;
  const { worker: module = new URL(`./worker${extname(import.meta.url)}`, import.meta.url) } = options;
  const chosen = await faultsToFind(options);
  const about = { startedAt: new Date().toISOString(), workers, seed, runs, chosen: chosen.length };
  const started = now();
  const hunts = chosen.map((fault) => huntFor(fault, { seed, runs }));
  const rows: GeneratedRow[] = [];
  const rowFor = (hunt: Hunt, answered: Answered<Catch>) => generatedRowOf(hunt, levelOf(hunt.fault), answered);
  for await (const row of worked(hunts, rowFor, { module, workers, limit, ...(signal && { signal }) })) {
    rows.push(row);
    yield { row, done: rows.length, chosen: chosen.length };
  }
  const order = new Map(chosen.map(({ id }, index) => [id, index]));
  rows.sort((a, b) => (order.get(a.fault.id) ?? 0) - (order.get(b.fault.id) ?? 0));
  const interrupted = rows.length < chosen.length;
  return { ...about, took: since(started), interrupted, totals: generatedTotalsOf(rows), rows };
}

/** When nothing is named: those that show only after something has happened. */
export async function faultsToFind(options: GeneratedOptions): Promise<FaultFacts[]> {
  const { requirements = [], ids = [], sample } = options;
  const all = options.faults ?? (await import('../../engine/targets/embedded/simulated-faults.ts')).simulatedFaults();
  if (requirements.length + ids.length > 0) return chooseFaults(all, options);
  const stateful = all.filter(({ id, sequencesOnly }) => sequencesOnly || id.startsWith('stateful.'));
  const named = stateful.map(({ id }) => id);
  return chooseFaults(stateful, { ids: named, ...(sample && { sample }) });
}

/** So many ask at the same time where that is what a fault is about. */
const originators = 3;

function huntFor(fault: FaultFacts, how: Pick<Hunt, 'seed' | 'runs'>): Hunt {
  const level = levelOf(fault);
  return {
    ...{ fault, dialect: dialectOf({ level }), pair: fault.id.startsWith('pair.') },
    ...(fault.id.startsWith('stateful.race.') && { originators }),
    level: level === 'gap' ? 'gap' : 'documented',
    ...how,
  };
}

function levelOf({ id, violates }: FaultFacts) {
  const requirement = loadRequirements().requirements.get(violates);
  if (requirement !== undefined) return requirement.level;
  throw new UsageError(`the fault ${id} is said to violate "${violates}", which no requirement is called`);
}
