/** Runs the harness against faults, to show that it would notice them. */
import { extname } from 'node:path';
import type { Requirement } from '../engine/files/catalogue.ts';
import { UsageError } from '../engine/files/diagnostics.ts';
import { type Loaded, loadScenarios } from '../engine/files/load.ts';
import type { Answered, CrewOptions } from '../engine/processes/crew.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import { now, since } from '../engine/targets/target.ts';
import { chooseFaults, type FaultChoice, leftToGenerators } from './choose-faults.ts';
import { coveredBy, type KillRow, type KillTable, rowOf, totalsOf } from './kill-table.ts';
import { type Mutant, type Sight, worked } from './mutant.ts';
import { type Breadth, Scope } from './scope.ts';

export interface MutantsOptions extends FaultChoice {
  /** Those of the simulator when absent. */
  readonly faults?: readonly FaultFacts[];
  /** Narrow, without others, when absent. */
  readonly breadth?: Breadth;
  /** Processes at the same time; 2 when absent. */
  readonly workers?: number;
  /** Milliseconds for one fault, after which its worker counts as hung; two minutes when absent, five for a wide run. */
  readonly limit?: number;
  /** The module that each process runs; the one that judges the simulator when absent. */
  readonly worker?: URL;
  readonly signal?: AbortSignal;
}

/** One more fault is judged. */
interface MutantJudged {
  readonly row: KillRow;
  readonly done: number;
  readonly chosen: number;
}

const limits: Readonly<Record<Breadth['kind'], number>> = { narrow: 120_000, wide: 300_000 };

/** Judges faults in several processes. Throws UsageError for a choice that means no fault, or one of an unknown requirement. */
export async function* mutants(options: MutantsOptions = {}): AsyncGenerator<MutantJudged, KillTable> {
  const { breadth = { kind: 'narrow' }, workers = 2, signal } = options;
  const known = options.faults ?? (await faultsOfTheSimulator());
  const chosen = chooseFaults(known, options);
  const loaded = loadScenarios();
  const { requirements } = loaded.catalogue;
  const about = { startedAt: new Date().toISOString(), workers, breadth, known: known.length, chosen: chosen.length };
  const started = now();
  const {
    worker: module = new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
    limit = limits[breadth.kind],
  } = options;
  const rows: KillRow[] = [];
  for await (const row of judged(chosen, loaded, breadth, { module, workers, limit, ...(signal && { signal }) })) {
    rows.push(row);
    yield { row, done: rows.length, chosen: chosen.length };
  }
  const order = new Map(chosen.map(({ id }, index) => [id, index]));
  rows.sort((a, b) => (order.get(a.fault.id) ?? 0) - (order.get(b.fault.id) ?? 0));
  return {
    ...{ ...about, took: since(started), interrupted: rows.length < chosen.length },
    ...{ totals: totalsOf(rows), rows, leftToGenerators: leftToGenerators(known, options) },
    levels: coveredBy(known, requirements.values()),
  };
}

/** The faults that a choice means, without judging them. */
export async function chosenFaults(choice: FaultChoice): Promise<FaultFacts[]> {
  return chooseFaults(await faultsOfTheSimulator(), choice);
}

/** Loaded only now: whoever judges others needs no simulator. */
async function faultsOfTheSimulator(): Promise<readonly FaultFacts[]> {
  const { simulatedFaults } = await import('../engine/targets/embedded/simulated-faults.ts');
  return simulatedFaults();
}

/** Rows as they are ready. */
function judged(
  faults: readonly FaultFacts[],
  loaded: Loaded,
  breadth: Breadth,
  crew: CrewOptions,
): AsyncGenerator<KillRow, void> {
  const scope = new Scope(loaded, breadth);
  const requirementOf = (fault: FaultFacts) => knownRequirement(fault, loaded);
  const tasks = faults.map((fault) => scope.mutantOf(fault, requirementOf(fault)));
  const rowFor = (mutant: Mutant, answered: Answered<Sight>) => {
    const { level } = requirementOf(mutant.fault);
    return rowOf(mutant, answered, { level, possible: scope.possible(mutant.dialect) });
  };
  return worked<Mutant, Sight, KillRow>(tasks, rowFor, crew);
}

function knownRequirement({ id, violates }: FaultFacts, { catalogue }: Loaded): Requirement {
  const requirement = catalogue.requirements.get(violates);
  if (requirement !== undefined) return requirement;
  throw new UsageError(`the fault ${id} is said to violate "${violates}", which no requirement is called`);
}
