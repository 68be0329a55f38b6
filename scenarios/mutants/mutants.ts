/** Runs the harness against deviations, to show that it would notice them. */

import type { DeviationFacts } from '../../sim/deviations/index.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { generatedRowOf, generatedTotalsOf } from './generated/generated-table.ts';
import type { Hunt } from './generated/hunt.ts';
import { type DeviationJudged, type DeviationWork, deviationRows, knownDeviations } from './judged/deviation-work.ts';
import {
  chooseFaults,
  dialectOf,
  leftToGenerators,
  type MutantChoice,
  mutantsOf,
  requirementOf,
} from './judged/scope.ts';
import type { Breadth, GeneratedRow, GeneratedTable, KillRow, KillTable } from './judged/tables.ts';
import { coveredBy, rowOf, totalsOf } from './kill-table.ts';

export interface MutantsOptions extends DeviationWork {
  /** Narrow, without others, when absent. */
  readonly breadth?: Breadth;
}

const limits: Readonly<Record<Breadth['kind'], number>> = { narrow: 120_000, wide: 300_000 };

/** Judges deviations in several processes. Throws UsageError for a choice that means no deviation, or one of an unknown requirement. */
export async function* mutants(options: MutantsOptions = {}): AsyncGenerator<DeviationJudged<KillRow>, KillTable> {
  const { breadth = { kind: 'narrow' } } = options;
  const known = await knownDeviations(options);
  const loaded = loadScenarios();
  const tasks = mutantsOf(chooseFaults(known, options), loaded, breadth);
  const { rows, ...work } = yield* deviationRows(tasks, rowOf, { limit: limits[breadth.kind], ...options });
  return {
    ...{ ...work, breadth, known: known.length, totals: totalsOf(rows), rows },
    leftToGenerators: leftToGenerators(known, options),
    levels: coveredBy(known, loaded.catalogue.requirements.values()),
  };
}

/** The deviations that a choice means, without judging them. */
export async function chosenFaults(choice: MutantChoice): Promise<DeviationFacts[]> {
  return chooseFaults(await knownDeviations({}), choice);
}

export interface GeneratedOptions extends DeviationWork {
  /** What the sequences are made from; 1 when absent. */
  readonly seed?: number;
  /** Sequences for each deviation at the most; 2,000 when absent. */
  readonly runs?: number;
}

/** Looks for deviations in several processes. Throws UsageError for a choice that means no deviation. */
export async function* generated(
  options: GeneratedOptions = {},
): AsyncGenerator<DeviationJudged<GeneratedRow>, GeneratedTable> {
  const { seed = 1, runs = 2000 } = options;
  const hunts = (await faultsToFind(options)).map((deviation) => huntFor(deviation, { seed, runs }));
  const { rows, ...work } = yield* deviationRows(hunts, generatedRowOf, options);
  return { ...work, seed, runs, totals: generatedTotalsOf(rows), rows };
}

/** When nothing is named: those that show only after something has happened. */
export async function faultsToFind(options: GeneratedOptions): Promise<DeviationFacts[]> {
  const { requirements = [], ids = [], sample } = options;
  const all = await knownDeviations(options);
  if (requirements.length + ids.length > 0) return chooseFaults(all, options);
  const stateful = all.filter(({ id, sequencesOnly }) => sequencesOnly || id.startsWith('stateful.'));
  const named = stateful.map(({ id }) => id);
  return chooseFaults(stateful, { ids: named, ...(sample && { sample }) });
}

/** So many ask at the same time where that is what a deviation is about. */
const originators = 3;

function huntFor(deviation: DeviationFacts, how: Pick<Hunt, 'seed' | 'runs'>): Hunt {
  const { level } = requirementOf(deviation);
  return {
    ...{ fault: deviation, level, dialect: dialectOf({ level }), pair: deviation.id.startsWith('pair.'), ...how },
    ...(deviation.id.startsWith('stateful.race.') && { originators }),
  };
}
