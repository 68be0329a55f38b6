/** Several targets beside each other: what each of them does about every requirement. */
import type { RequirementResult, RunResult, Verdict } from '../../scenarios/index.ts';
import { type Evidence, indexEvidence } from '../evidence.ts';
import type { Column } from './columns.ts';
import { distinctEvidence } from './distinct-evidence.ts';

export interface Cell {
  readonly verdict: Verdict;
  /** True when the baseline of that run knows every failure. */
  readonly known: boolean;
  /** Names of the permitted outcomes that the target takes. */
  readonly variants: readonly string[];
  /** What the target does where it deviates, or where the specification leaves it open: distinct sentences. */
  readonly does: readonly string[];
  readonly reason?: string;
  /** The checks behind `does`, one for each sentence. */
  readonly evidence: readonly Evidence[];
}

export interface MatrixRow {
  readonly requirement: Pick<RequirementResult, 'id' | 'says' | 'section' | 'source' | 'level'>;
  /** One for each column; undefined where a report does not know the requirement. */
  readonly cells: readonly (Cell | undefined)[];
  readonly differs: boolean;
}

export interface Matrix {
  readonly columns: readonly Column[];
  /** In the order of the reports. */
  readonly sections: readonly { readonly section: string; readonly rows: readonly MatrixRow[] }[];
}

export function matrixOf(columns: readonly Column[]): Matrix {
  const cellsOf = columns.map(({ result }) => cellsIn(result));
  const requirements = new Map<string, RequirementResult>();
  for (const { result } of columns) {
    for (const one of result.requirements) if (!requirements.has(one.id)) requirements.set(one.id, one);
  }
  const sections = new Map<string, MatrixRow[]>();
  for (const requirement of requirements.values()) {
    const { id, says, section, source, level } = requirement;
    const cells = cellsOf.map((cells) => cells.get(id));
    const row = { requirement: { id, says, section, source, level }, cells, differs: differ(cells) };
    const rows = sections.get(section);
    if (rows === undefined) sections.set(section, [row]);
    else rows.push(row);
  }
  return { columns, sections: [...sections].map(([section, rows]) => ({ section, rows })) };
}

/** Rows about what is left open in which targets that were looked at do something different. */
export function gapDifferences({ sections }: Matrix): MatrixRow[] {
  return sections.flatMap(({ rows }) => rows).filter(isGapDifference);
}

function isGapDifference({ requirement, cells }: MatrixRow): boolean {
  const seen = cells.filter((cell) => cell?.verdict === 'observed').map((cell) => JSON.stringify(cell?.does));
  return requirement.level === 'gap' && new Set(seen).size > 1;
}

/** All rows, or those in which verdicts or variants differ (what is left open has a table of its own); no empty sections. */
export function shownSections({ sections }: Matrix, all: boolean): Matrix['sections'] {
  if (all) return sections;
  return sections
    .map(({ section, rows }) => ({ section, rows: rows.filter((row) => row.differs && !isGapDifference(row)) }))
    .filter(({ rows }) => rows.length > 0);
}

function cellsIn(result: RunResult): Map<string, Cell> {
  const index = indexEvidence(result);
  return new Map(
    result.requirements.map((requirement): [string, Cell] => {
      const { id, verdict, reason, known } = requirement;
      const variants = [...new Set(index.of(id).flatMap(({ check }) => check.variant ?? []))].sort();
      const telling = [...requirement.violations, ...requirement.gaps].flatMap((at) => index.at(at) ?? []);
      const facts = distinctEvidence(result, telling);
      return [
        id,
        {
          verdict,
          known: known === true,
          variants,
          does: [...facts.keys()],
          ...(reason !== undefined && { reason }),
          evidence: [...facts.values()],
        },
      ];
    }),
  );
}

/** By verdict and variant, and where something is left open by what is done. */
function differ(cells: readonly (Cell | undefined)[]): boolean {
  return new Set(cells.map(signature)).size > 1;
}

function signature(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const { verdict, variants, does } = cell;
  return JSON.stringify([verdict, variants, verdict === 'observed' ? does : []]);
}
