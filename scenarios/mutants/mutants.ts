/** Runs the harness against faults, to show that it would notice them. */
import { loadScenarios } from '../engine/files/load.ts';
import type { Answered } from '../engine/processes/crew.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import { now, since } from '../engine/targets/target.ts';
import { crewOf, type FaultJudged, type FaultWork, faultRows, faultsOf, requirementOf } from './fault-work.ts';
import { coveredBy, type KillRow, type KillTable, rowOf, totalsOf } from './kill-table.ts';
import type { Mutant, Sight } from './mutant.ts';
import { type Breadth, chooseFaults, type FaultChoice, leftToGenerators, Scope } from './scope.ts';

export interface MutantsOptions extends FaultWork {
  /** Narrow, without others, when absent. */
  readonly breadth?: Breadth;
}

const limits: Readonly<Record<Breadth['kind'], number>> = { narrow: 120_000, wide: 300_000 };

/** Judges faults in several processes. Throws UsageError for a choice that means no fault, or one of an unknown requirement. */
export async function* mutants(options: MutantsOptions = {}): AsyncGenerator<FaultJudged<KillRow>, KillTable> {
  const { breadth = { kind: 'narrow' } } = options;
  const crew = crewOf({ ...options, limit: options.limit ?? limits[breadth.kind] });
  const known = await faultsOf(options);
  const chosen = chooseFaults(known, options);
  const loaded = loadScenarios();
  const about = { workers: crew.workers, breadth, known: known.length, chosen: chosen.length };
  const [startedAt, started] = [new Date().toISOString(), now()];
  const scope = new Scope(loaded, breadth);
  const tasks = chosen.map((fault) => scope.mutantOf(fault, requirementOf(fault, loaded.catalogue)));
  const rowFor = (mutant: Mutant, answered: Answered<Sight>) => {
    const { level } = requirementOf(mutant.fault, loaded.catalogue);
    return rowOf(mutant, answered, { level, possible: scope.possible(mutant.dialect) });
  };
  const rows = yield* faultRows(tasks, rowFor, crew);
  return {
    ...{ startedAt, ...about, took: since(started), interrupted: rows.length < chosen.length },
    ...{ totals: totalsOf(rows), rows, leftToGenerators: leftToGenerators(known, options) },
    levels: coveredBy(known, loaded.catalogue.requirements.values()),
  };
}

/** The faults that a choice means, without judging them. */
export async function chosenFaults(choice: FaultChoice): Promise<FaultFacts[]> {
  return chooseFaults(await faultsOf({}), choice);
}
