/** Several targets side by side, requirement by requirement. */
import { type RequirementResult, type RunResult, UsageError } from '../../scenarios/words.ts';
import { type CheckEvidence, indexEvidence } from '../facts/evidence.ts';
import { groupedBy } from '../facts/wording.ts';
import { type Changes, changesBetween, distinctEvidence } from './changes.ts';

/** A requirement at one target. */
export interface ComparedRequirement {
  readonly requirement: RequirementResult;
  /** Names of the permitted variants that the target takes. */
  readonly variants: readonly string[];
  /** All checks that failed. */
  readonly failures: readonly CheckEvidence[];
  /** Deviations and implementation-defined behaviour: distinct sentences, each with a check that saw it. */
  readonly actuals: ReadonlyMap<string, CheckEvidence>;
}

/** One report of a comparison. */
export interface Column {
  /** `A`, `B` and so on: for narrow tables. */
  readonly letter: string;
  /** A short, distinct name. */
  readonly label: string;
  readonly result: RunResult;
  /** By the requirements that the report knows. */
  readonly cells: ReadonlyMap<string, ComparedRequirement>;
}

/** The reports with names: product and version, or address; if those are the same, with the run. */
export function columnsOf(results: readonly RunResult[]): Column[] {
  const names = results.map(nameOf);
  const products = results.map((result, at) => {
    const { kind, product, url } = result.target;
    return product !== undefined && kind === 'url' ? `${names[at]} at ${withoutScheme(url)}` : names[at];
  });
  const distinct = new Set(names).size === names.length ? names : products;
  return results.map((result, index) => {
    const label = distinct[index] ?? '';
    const isAmbiguous = distinct.some((other, at) => at !== index && other === label);
    const uniqueLabel = isAmbiguous ? `${label}, run ${result.run}` : label;
    return { letter: letterOf(index), label: uniqueLabel, result, cells: cellsIn(result) };
  });
}

function cellsIn(result: RunResult): Map<string, ComparedRequirement> {
  const index = indexEvidence(result);
  return new Map(
    result.requirements.map((requirement): [string, ComparedRequirement] => {
      const { id, violations, gaps } = requirement;
      const variants = [...new Set(index.of(id).flatMap(({ check }) => check.variant ?? []))].sort();
      const failures = index.at(violations);
      const actuals = distinctEvidence(result, [...failures, ...index.at(gaps)]);
      return [id, { requirement, variants, failures, actuals }];
    }),
  );
}

function nameOf({ target }: RunResult): string {
  const { kind, url, product, version } = target;
  if (product !== undefined) return version === undefined ? product : `${product} ${version}`;
  return kind === 'url' ? withoutScheme(url) : 'reference CSE';
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

export function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** Whether two reports are of one target, by what they hold. */
export function isSameTarget(a: RunResult, b: RunResult): boolean {
  const key = ({ target: { kind, url, base, cseId, spId, product }, dialect }: RunResult) =>
    JSON.stringify([kind, kind === 'url' ? url : '', base, cseId, spId, product, dialect]);
  return key(a) === key(b);
}

export interface ComparedRow {
  /** From the first report that has it. */
  readonly requirement: RequirementResult;
  /** One for each column; undefined if a report does not have the requirement. */
  readonly cells: readonly (ComparedRequirement | undefined)[];
  readonly differs: boolean;
}

export interface Comparison {
  readonly columns: readonly Column[];
  /** Section by section, in the order of the reports. */
  readonly rows: readonly ComparedRow[];
  /** Rows in which verdicts or variants differ, without `gaps`. */
  readonly differing: readonly ComparedRow[];
  /** Rows in which implementation-defined behaviours differ. */
  readonly gaps: readonly ComparedRow[];
  /** All rows, or those that differ, by the options. */
  readonly displayed: readonly ComparedRow[];
  /** What changed between two runs of one target. */
  readonly changes?: Changes;
}

export interface ComparisonOptions {
  /** Shows rows without differences, too. */
  readonly all: boolean;
  /** Whether these are runs of one target; by default the reports decide. */
  readonly runs?: boolean | undefined;
}

/** Throws UsageError for fewer than two reports, and for more than two runs of one target. */
export function comparisonOf(results: readonly RunResult[], { all, runs }: ComparisonOptions): Comparison {
  const [first, second, third] = results;
  if (first === undefined || second === undefined) throw new UsageError('compare needs two reports or more');
  if (runs && third !== undefined) throw new UsageError('--runs compares two runs, the earlier one first');
  const columns = columnsOf(results);
  const [before, after] = columns;
  const areRuns = runs ?? (third === undefined && isSameTarget(first, second));
  const rows = rowsOf(columns);
  const gaps = rows.filter(behavesOtherwise);
  const differing = rows.filter((row) => row.differs && !gaps.includes(row));
  return {
    ...{ columns, rows, differing, gaps, displayed: all ? rows : differing },
    ...(areRuns && before && after && { changes: changesBetween(before, after) }),
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

function behavesOtherwise({ requirement, cells }: ComparedRow): boolean {
  const observed = cells.filter((cell) => cell?.requirement.verdict === 'implementation-defined');
  const behaviours = observed.map((cell) => JSON.stringify([...(cell?.actuals.keys() ?? [])]));
  return requirement.level === 'gap' && new Set(behaviours).size > 1;
}

/** Verdict and variants, and implementation-defined behaviour. */
function signature(cell: ComparedRequirement | undefined): string {
  if (cell === undefined) return '';
  const { variants, actuals, requirement } = cell;
  const { verdict } = requirement;
  return JSON.stringify([verdict, variants, verdict === 'implementation-defined' ? [...actuals.keys()] : []]);
}
