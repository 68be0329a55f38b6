import type { DeviationFacts } from '../../sim/deviations/index.ts';
import type { Requirement } from '../engine/files/catalogue.ts';
import { byCodePoint } from '../engine/files/folders.ts';
import type { TaskResult } from '../engine/processes/worker-pool.ts';
import type { Detection, DeviationTask } from './scoring/detect.ts';
import { countedBy, reasonOf } from './scoring/deviation-work.ts';
import {
  type KillRow,
  type KillTable,
  type KillTotals,
  type KillVerdict,
  killVerdicts,
  type Violation,
} from './scoring/tables.ts';

export function totalsOf(rows: readonly KillRow[]): KillTotals {
  const verdicts = countedBy(killVerdicts, rows);
  return {
    verdicts,
    killed: verdicts.identified + verdicts.killed,
    withCollateral: rows.filter(({ collateral }) => collateral.length > 0).length,
    scenarios: rows.reduce((sum, row) => sum + row.scenarios, 0),
    possible: rows.reduce((sum, row) => sum + row.possible, 0),
  };
}

/** By level. No deviation can break a gap. */
export function coveredBy(
  deviations: readonly DeviationFacts[],
  requirements: Iterable<Requirement>,
): KillTable['levels'] {
  const broken = new Set(deviations.map(({ violates }) => violates));
  const all = [...requirements].filter(({ untestable }) => untestable === undefined);
  return (['documented', 'standard'] as const).map((level) => {
    const testable = all.filter((one) => one.level === level).map(({ id }) => id);
    const unbroken = testable.filter((id) => !broken.has(id)).sort(byCodePoint);
    return { level, testable: testable.length, unbroken };
  });
}

/** 0: every deviation is identified, or equivalent; 130: interrupted; 1 otherwise. */
export function exitOf({ interrupted, totals, rows }: KillTable): 0 | 1 | 130 {
  if (interrupted) return 130;
  return totals.verdicts.identified + totals.verdicts.equivalent === rows.length ? 0 : 1;
}

export function rowOf(task: DeviationTask, answered: TaskResult<Detection>): KillRow {
  const { deviation, level, dialect, possible } = task;
  const about = { deviation, dialect, level, possible };
  if (!('result' in answered)) return { ...about, ...unchecked, reason: reasonOf(answered, 'the harness') };
  const { violations, troubles, scenarios, took } = answered.result;
  const found = violations.map(({ requirement }) => requirement);
  const related = new Set([deviation.violates, ...(deviation.also ?? [])]);
  const collateral = found.filter((requirement) => !related.has(requirement));
  const verdict = verdictOn(deviation, found, { scenarios, troubles });
  const reason = reasonBeside(deviation, found, troubles);
  return {
    ...{ ...about, verdict, collateral, scenarios, took },
    violations: violations.toSorted((a, b) => rank(a) - rank(b)),
    ...(reason !== undefined && { reason }),
  };

  function rank({ requirement }: Violation): number {
    return requirement === deviation.violates ? 0 : related.has(requirement) ? 1 : 2;
  }
}

function reasonBeside(
  { equivalent }: DeviationFacts,
  found: readonly string[],
  [first, ...more]: readonly string[],
): string | undefined {
  if (first !== undefined) return more.length > 0 ? `${first} (and ${more.length} more)` : first;
  return equivalent !== undefined && found.length > 0 ? `it is declared equivalent: ${equivalent}` : undefined;
}

/** If the harness could not run everything, finding nothing says nothing. */
function verdictOn(
  { violates, equivalent }: DeviationFacts,
  found: readonly string[],
  { scenarios, troubles }: Pick<Detection, 'scenarios' | 'troubles'>,
): KillVerdict {
  if (found.includes(violates)) return 'identified';
  if (found.length > 0) return 'killed';
  if (scenarios === 0 || troubles.length > 0) return 'not judged';
  return equivalent === undefined ? 'not killed' : 'equivalent';
}

const unchecked = { verdict: 'not judged', violations: [], collateral: [], scenarios: 0, took: 0 } as const;
