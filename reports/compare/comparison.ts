/** Several targets beside each other: what each of them does about every requirement. */
import { type RequirementResult, type RunResult, UsageError } from '../../scenarios/index.ts';
import { groupedBy } from '../grouped.ts';
import { type Changes, changesBetween } from './changes.ts';
import { type Cell, type Column, columnsOf, isSameTarget } from './columns.ts';

export interface ComparedRow {
  /** As the first report that knows it says it. */
  readonly requirement: RequirementResult;
  /** One for each column; undefined where a report does not know the requirement. */
  readonly cells: readonly (Cell | undefined)[];
  readonly differs: boolean;
}

export interface Comparison {
  readonly columns: readonly Column[];
  /** Section by section, in the order of the reports. */
  readonly rows: readonly ComparedRow[];
  /** Those in which verdicts or variants differ, without those that follow. */
  readonly differing: readonly ComparedRow[];
  /** Those about what is left open in which targets that were looked at do something different. */
  readonly gaps: readonly ComparedRow[];
  /** The rows, or those that differ: as it was asked for. */
  readonly shown: readonly ComparedRow[];
  /** What changed, where these are two runs of one target. */
  readonly changes?: Changes;
}

export interface ComparisonOptions {
  /** Rows in which nothing differs are shown as well. */
  readonly all: boolean;
  /** Whether these are runs of one target; found out by what the reports say of it when absent. */
  readonly runs?: boolean | undefined;
}

/** Throws UsageError for fewer than two reports, and for more than two runs of one target. */
export function comparisonOf(results: readonly RunResult[], { all, runs }: ComparisonOptions): Comparison {
  const [first, second, third] = results;
  if (first === undefined || second === undefined) throw new UsageError('compare needs two reports or more');
  if (runs && third !== undefined) throw new UsageError('--runs compares two runs, the earlier one first');
  const columns = columnsOf(results);
  const [before, after] = columns;
  const ofOne = runs ?? (third === undefined && isSameTarget(first, second));
  const rows = rowsOf(columns);
  const gaps = rows.filter(isGapDifference);
  const differing = rows.filter((row) => row.differs && !gaps.includes(row));
  return {
    ...{ columns, rows, differing, gaps, shown: all ? rows : differing },
    ...(ofOne && before && after && { changes: changesBetween(before, after) }),
  };
}

function rowsOf(columns: readonly Column[]): ComparedRow[] {
  const requirements = new Map<string, RequirementResult>();
  for (const one of columns.flatMap(({ result }) => result.requirements)) {
    if (!requirements.has(one.id)) requirements.set(one.id, one);
  }
  const bySection = groupedBy([...requirements.values()], ({ section }) => section);
  return [...bySection.values()].flat().map((requirement) => {
    const cells = columns.map((column) => column.cells.get(requirement.id));
    return { requirement, cells, differs: new Set(cells.map(signature)).size > 1 };
  });
}

function isGapDifference({ requirement, cells }: ComparedRow): boolean {
  const looked = cells.filter((cell) => cell?.requirement.verdict === 'observed');
  const seen = looked.map((cell) => JSON.stringify([...(cell?.does.keys() ?? [])]));
  return requirement.level === 'gap' && new Set(seen).size > 1;
}

/** Verdict and variants, and where something is left open what is done. */
function signature(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const { variants, does, requirement } = cell;
  return JSON.stringify([requirement.verdict, variants, requirement.verdict === 'observed' ? [...does.keys()] : []]);
}
