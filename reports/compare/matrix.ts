/** Several targets beside each other: what each of them does about every requirement. */
import type { RequirementResult } from '../../scenarios/index.ts';
import { groupedBy } from '../grouped.ts';
import type { Cell, Column } from './columns.ts';

export interface MatrixRow {
  /** As the first report that knows it says it. */
  readonly requirement: RequirementResult;
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
  const requirements = new Map<string, RequirementResult>();
  for (const one of columns.flatMap(({ result }) => result.requirements)) {
    if (!requirements.has(one.id)) requirements.set(one.id, one);
  }
  const rows = [...requirements.values()].map((requirement): MatrixRow => {
    const cells = columns.map((column) => column.cells.get(requirement.id));
    return { requirement, cells, differs: new Set(cells.map(signature)).size > 1 };
  });
  const sections = groupedBy(rows, ({ requirement }) => requirement.section);
  return { columns, sections: [...sections].map(([section, own]) => ({ section, rows: own })) };
}

/** Rows about what is left open in which targets that were looked at do something different. */
export function gapDifferences({ sections }: Matrix): MatrixRow[] {
  return sections.flatMap(({ rows }) => rows).filter(isGapDifference);
}

function isGapDifference({ requirement, cells }: MatrixRow): boolean {
  const looked = cells.filter((cell) => cell?.requirement.verdict === 'observed');
  const seen = looked.map((cell) => JSON.stringify([...(cell?.does.keys() ?? [])]));
  return requirement.level === 'gap' && new Set(seen).size > 1;
}

/** All rows, or those in which verdicts or variants differ (what is left open has a table of its own); no empty sections. */
export function shownSections({ sections }: Matrix, all: boolean): Matrix['sections'] {
  if (all) return sections;
  return sections
    .map(({ section, rows }) => ({ section, rows: rows.filter((row) => row.differs && !isGapDifference(row)) }))
    .filter(({ rows }) => rows.length > 0);
}

/** Verdict and variants, and where something is left open what is done. */
function signature(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const { variants, does, requirement } = cell;
  return JSON.stringify([requirement.verdict, variants, requirement.verdict === 'observed' ? [...does.keys()] : []]);
}
