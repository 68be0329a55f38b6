/** Runs the harness against deviations, to show that it detects them. */

import type { DeviationFacts } from '../../sim/deviations/index.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { generatedRowOf, generatedTotalsOf } from './generated/generated-table.ts';
import type { SearchTask } from './generated/search-task.ts';
import { coveredBy, rowOf, totalsOf } from './kill-table.ts';
import { type DeviationChecked, type DeviationWork, deviationRows, knownDeviations } from './scoring/deviation-work.ts';
import type { DeviationSelection } from './scoring/scope.ts';
import { chooseDeviations, deviationTasksOf, dialectOf, leftToGenerators, requirementOf } from './scoring/scope.ts';
import type { Breadth, GeneratedRow, GeneratedTable, KillRow, KillTable } from './scoring/tables.ts';

export interface MutantsOptions extends DeviationWork {
  /** Narrow, without other files, when absent. */
  readonly breadth?: Breadth;
}

const limits: Readonly<Record<Breadth['kind'], number>> = { narrow: 120_000, wide: 300_000 };

/** Scores deviations in several processes. Throws UsageError for a choice without a deviation, or with one of an unknown requirement. */
export async function* mutants(options: MutantsOptions = {}): AsyncGenerator<DeviationChecked<KillRow>, KillTable> {
  const { breadth = { kind: 'narrow' } } = options;
  const known = await knownDeviations(options);
  const loaded = loadScenarios();
  const tasks = deviationTasksOf(chooseDeviations(known, options), loaded, breadth);
  const { rows, ...work } = yield* deviationRows(tasks, rowOf, { limit: limits[breadth.kind], ...options });
  return {
    ...{ ...work, breadth, known: known.length, totals: totalsOf(rows), rows },
    leftToGenerators: leftToGenerators(known, options),
    levels: coveredBy(known, loaded.catalogue.requirements.values()),
  };
}

/** The deviations of a choice, without scoring them. */
export async function chosenDeviations(choice: DeviationSelection): Promise<DeviationFacts[]> {
  return chooseDeviations(await knownDeviations({}), choice);
}

export interface GeneratedOptions extends DeviationWork {
  /** Seed of the sequences; 1 when absent. */
  readonly seed?: number;
  /** Most sequences for each deviation; 2,000 when absent. */
  readonly runs?: number;
}

/** Searches for deviations in several processes. Throws UsageError for a choice without a deviation. */
export async function* generated(
  options: GeneratedOptions = {},
): AsyncGenerator<DeviationChecked<GeneratedRow>, GeneratedTable> {
  const { seed = 1, runs = 2000 } = options;
  const tasks = (await deviationsToFind(options)).map((deviation) => searchTaskFor(deviation, { seed, runs }));
  const { rows, ...work } = yield* deviationRows(tasks, generatedRowOf, options);
  return { ...work, seed, runs, totals: generatedTotalsOf(rows), rows };
}

/** By default stateful ones, and those that only sequences show. */
export async function deviationsToFind(options: GeneratedOptions): Promise<DeviationFacts[]> {
  const { requirements = [], ids = [], sample } = options;
  const all = await knownDeviations(options);
  if (requirements.length + ids.length > 0) return chooseDeviations(all, options);
  const stateful = all.filter(({ id, sequencesOnly }) => sequencesOnly || id.startsWith('stateful.'));
  const named = stateful.map(({ id }) => id);
  return chooseDeviations(stateful, { ids: named, ...(sample && { sample }) });
}

/** Concurrent originators for deviations about races. */
const originators = 3;

function searchTaskFor(deviation: DeviationFacts, how: Pick<SearchTask, 'seed' | 'runs'>): SearchTask {
  const { level } = requirementOf(deviation);
  return {
    ...{ deviation, level, dialect: dialectOf({ level }), pair: deviation.id.startsWith('pair.'), ...how },
    ...(deviation.id.startsWith('stateful.race.') && { originators }),
  };
}
