import type { Requirement } from '../engine/files/catalogue.ts';
import { byCodePoint } from '../engine/files/rooms.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import { type KillRow, type KillVerdict, killVerdicts } from './kill-row.ts';
import type { Breadth } from './scope.ts';

/** How many requirements of a level have a fault that breaks them. */
export interface LevelCoverage {
  readonly level: Requirement['level'];
  /** Requirements that can be tested. */
  readonly testable: number;
  /** Ids of those among them that no fault of the simulator breaks. */
  readonly unbroken: readonly string[];
}

/** What the harness makes of each fault. */
export interface KillTable {
  readonly startedAt: string;
  /** Milliseconds from the first to the last. */
  readonly took: number;
  readonly workers: number;
  readonly breadth: Breadth;
  /** Faults of the simulator, chosen or not. */
  readonly known: number;
  /** Faults that were to be judged: more than there are rows where the work was interrupted. */
  readonly chosen: number;
  readonly interrupted: boolean;
  readonly totals: KillTotals;
  readonly rows: readonly KillRow[];
  /** Faults that show only in sequences of requests such as generators make; rows only where somebody names them. */
  readonly leftToGenerators: readonly FaultFacts[];
  readonly levels: readonly LevelCoverage[];
}

export interface KillTotals {
  readonly verdicts: Readonly<Record<KillVerdict, number>>;
  /** By whatever check: named ones and others. */
  readonly killed: number;
  readonly noisy: number;
  /** Scenarios that were run, over all faults. */
  readonly scenarios: number;
  /** Scenarios that would have been run if all of the dialect had been, over all faults. */
  readonly possible: number;
}

export function totalsOf(rows: readonly KillRow[]): KillTotals {
  const count = (verdict: KillVerdict) => rows.filter((row) => row.verdict === verdict).length;
  const verdicts = Object.fromEntries(killVerdicts.map((one) => [one, count(one)])) as Record<KillVerdict, number>;
  return {
    verdicts,
    killed: verdicts.named + verdicts.killed,
    noisy: rows.filter(({ noise }) => noise.length > 0).length,
    scenarios: rows.reduce((sum, row) => sum + row.scenarios, 0),
    possible: rows.reduce((sum, row) => sum + row.possible, 0),
  };
}

/** By level. A gap is nothing that a fault could break. */
export function coveredBy(faults: readonly FaultFacts[], requirements: Iterable<Requirement>): LevelCoverage[] {
  const broken = new Set(faults.map(({ violates }) => violates));
  const all = [...requirements].filter(({ untestable }) => untestable === undefined);
  return (['documented', 'standard'] as const).map((level) => {
    const testable = all.filter((one) => one.level === level).map(({ id }) => id);
    return {
      level,
      testable: testable.length,
      unbroken: testable.filter((id) => !broken.has(id)).sort(byCodePoint),
    };
  });
}

/** 0: every fault is killed and named, or nobody can see it; 130: interrupted; 1 otherwise. */
export function exitOf({ interrupted, totals, rows }: KillTable): 0 | 1 | 130 {
  if (interrupted) return 130;
  return totals.verdicts.named + totals.verdicts.equivalent === rows.length ? 0 : 1;
}
