/** Lets the generators alone look for faults: how many they find, in how many requests, and how short what they find becomes. */
import type { Answered } from '../../engine/processes/crew.ts';
import type { FaultFacts } from '../../engine/targets/embedded/simulated-faults.ts';
import { now, since } from '../../engine/targets/target.ts';
import { crewOf, type FaultJudged, type FaultWork, faultRows, faultsOf, requirementOf } from '../fault-work.ts';
import { chooseFaults, dialectOf } from '../scope.ts';
import { type GeneratedRow, type GeneratedTable, generatedRowOf, generatedTotalsOf } from './generated-table.ts';
import type { Catch, Hunt } from './hunt.ts';

export interface GeneratedOptions extends FaultWork {
  /** What the sequences are made from; 1 when absent. */
  readonly seed?: number;
  /** Sequences for each fault at the most; 2,000 when absent. */
  readonly runs?: number;
}

/** Looks for faults in several processes. Throws UsageError for a choice that means no fault. */
export async function* generated(
  options: GeneratedOptions = {},
): AsyncGenerator<FaultJudged<GeneratedRow>, GeneratedTable> {
  const { seed = 1, runs = 2000 } = options;
  const crew = crewOf(options);
  const hunts = (await faultsToFind(options)).map((fault) => huntFor(fault, { seed, runs }));
  const [startedAt, started] = [new Date().toISOString(), now()];
  const rowFor = (hunt: Hunt, answered: Answered<Catch>) =>
    generatedRowOf(hunt, requirementOf(hunt.fault).level, answered);
  const rows = yield* faultRows(hunts, rowFor, crew);
  const about = { startedAt, workers: crew.workers, seed, runs, chosen: hunts.length };
  const interrupted = rows.length < hunts.length;
  return { ...about, took: since(started), interrupted, totals: generatedTotalsOf(rows), rows };
}

/** When nothing is named: those that show only after something has happened. */
export async function faultsToFind(options: GeneratedOptions): Promise<FaultFacts[]> {
  const { requirements = [], ids = [], sample } = options;
  const all = await faultsOf(options);
  if (requirements.length + ids.length > 0) return chooseFaults(all, options);
  const stateful = all.filter(({ id, sequencesOnly }) => sequencesOnly || id.startsWith('stateful.'));
  const named = stateful.map(({ id }) => id);
  return chooseFaults(stateful, { ids: named, ...(sample && { sample }) });
}

/** So many ask at the same time where that is what a fault is about. */
const originators = 3;

function huntFor(fault: FaultFacts, how: Pick<Hunt, 'seed' | 'runs'>): Hunt {
  const { level } = requirementOf(fault);
  return {
    ...{ fault, dialect: dialectOf({ level }), pair: fault.id.startsWith('pair.') },
    ...(fault.id.startsWith('stateful.race.') && { originators }),
    level: level === 'gap' ? 'gap' : 'documented',
    ...how,
  };
}
