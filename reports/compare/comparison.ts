import { type RunResult, UsageError } from '../../scenarios/index.ts';
import { type Changes, changesBetween } from './changes.ts';
import { columnsOf, isSameTarget } from './columns.ts';
import { type Matrix, matrixOf } from './matrix.ts';

/** Several targets beside each other, and where they are two runs of one, what changed between them. */
export interface Comparison {
  readonly matrix: Matrix;
  /** Absent when targets are compared. */
  readonly changes?: Changes;
  /** Rows in which nothing differs are shown as well. */
  readonly all: boolean;
}

export interface ComparisonOptions {
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
  return {
    matrix: matrixOf(columns),
    all,
    ...(ofOne && before && after && { changes: changesBetween(before, after) }),
  };
}
