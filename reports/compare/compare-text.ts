/** A comparison for the terminal. */
import pc from 'picocolors';
import { dimmed, heading, paint, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted, marks, targetText, verdictLine, verdictOrder } from '../wording.ts';
import { type ChangeKind, type Changes, changeKinds } from './changes.ts';
import { letterOf } from './columns.ts';
import {
  cellText,
  changeMarks,
  changeSentences,
  changesText,
  changeTitles,
  deathsIn,
  differencesText,
  gapGroups,
} from './compare-words.ts';
import type { Comparison } from './comparison.ts';
import { type Cell, gapDifferences, type Matrix, type MatrixRow, shownSections } from './matrix.ts';

/** The whole comparison as text. Nothing of a target's reaches it as a control character. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly color: boolean; readonly columns: number },
): string {
  const screen: Screen = {
    verbose: false,
    columns: Math.max(options.columns, 40),
    colors: pc.createColors(options.color),
  };
  const { matrix, changes } = comparison;
  const lines = [
    ...deathsIn(matrix).flatMap((line) => prose(screen, line, '† ').map(screen.colors.bold)),
    ...columnLines(screen, matrix),
    ...(changes === undefined ? matrixLines(screen, comparison) : changeLines(screen, changes)),
    ...gapLines(screen, matrix),
    ...(changes === undefined
      ? wrap(`${differencesText(matrix)}.`, screen.columns)
      : wrap(`From A to B: ${changesText({ matrix, changes })}.`, screen.columns)),
  ];
  return `${lines.join('\n')}\n`;
}

function columnLines(screen: Screen, { columns }: Matrix): string[] {
  const lines = columns.flatMap(({ letter, label, result }) => [
    ...prose(screen, label, `${letter}  `).map(screen.colors.bold),
    ...dimmed(
      screen,
      prose(
        screen,
        `${targetText(result)}, dialect ${result.dialect}, ${result.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
        '   ',
      ),
    ),
    ...prose(screen, verdictLine(result), '   '),
  ]);
  return [...lines, ''];
}

function matrixLines(screen: Screen, { matrix, all }: Comparison): string[] {
  const sections = shownSections(matrix, all);
  if (sections.length === 0) return ['All of them do the same.', ''];
  const verdicts = verdictOrder.filter((verdict) =>
    matrix.sections.some(({ rows }) => rows.some(({ cells }) => cells.some((cell) => cell?.verdict === verdict))),
  );
  const legend = verdicts.map((verdict) => `${marks[verdict]} ${verdict}`.replaceAll(' ', '\u00a0')).join('   ');
  const letters = matrix.columns.map(({ letter }) => letter.padEnd(2)).join('');
  return [
    heading(screen, `${' '.repeat(2)}${letters} requirement`),
    ...dimmed(
      screen,
      wrap(legend, screen.columns, '  ').map((line) => line.replaceAll('\u00a0', ' ')),
    ),
    '',
    ...sections.flatMap(({ section, rows }) => [
      ...prose(screen, section, '').map(screen.colors.bold),
      ...rows.flatMap((row) => rowLines(screen, row)),
      '',
    ]),
  ];
}

function rowLines(screen: Screen, { requirement, cells }: MatrixRow): string[] {
  const signs = cells.map((cell) =>
    cell === undefined ? '  ' : `${paint(screen, cell.verdict)(marks[cell.verdict])} `,
  );
  return [`  ${signs.join('')} ${requirement.id}`, ...dimmed(screen, variantLines(screen, cells))];
}

/** Variants are told where they are not the same for all. */
function variantLines(screen: Screen, cells: readonly (Cell | undefined)[]): string[] {
  const texts = cells.map((cell) => (cell === undefined || cell.verdict === 'observed' ? '' : cellText(cell)));
  if (new Set(texts).size < 2) return [];
  const indent = ' '.repeat(3 + cells.length * 2);
  return texts.flatMap((text, index) => (text === '' ? [] : prose(screen, text, `${indent}${letterOf(index)}: `)));
}

function changeLines(screen: Screen, { changes, lost }: Changes): string[] {
  const blocks = changeKinds.flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    if (own.length === 0) return [];
    const paintKind = colourOf(screen, kind);
    return [
      heading(screen, `${changeTitles[kind]} (${own.length})`),
      ...own.flatMap((change) => [
        `  ${paintKind(changeMarks[kind])} ${change.requirement.id}${change.otherwise ? ', otherwise than before' : ''}`,
        ...dimmed(screen, prose(screen, change.requirement.says, '    ')),
        ...changeSentences(change).flatMap((sentence) => prose(screen, sentence, '    · ')),
      ]),
      '',
    ];
  });
  if (lost.length === 0) return blocks;
  const text = `${counted(lost.length, 'requirement')} that A keeps and B does not judge: ${lost.map(({ id }) => id).join(', ')}`;
  return [...blocks, ...wrap(text, screen.columns), ''];
}

function colourOf({ colors }: Screen, kind: ChangeKind): (text: string) => string {
  if (kind === 'fixed') return colors.green;
  return kind === 'gone' ? colors.dim : colors.red;
}

function gapLines(screen: Screen, matrix: Matrix): string[] {
  const rows = gapDifferences(matrix);
  if (rows.length === 0) return [];
  return [
    heading(screen, 'What the specification leaves open, and what each does'),
    ...rows.flatMap((row) => [
      `  ${row.requirement.id}`,
      ...dimmed(screen, prose(screen, row.requirement.says, '    ')),
      ...gapGroups(row, matrix.columns).flatMap(({ letters, does }) =>
        prose(screen, does, `    ${letters.join(' ')}: `),
      ),
    ]),
    '',
  ];
}
