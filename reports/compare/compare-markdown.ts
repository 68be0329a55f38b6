/** A comparison as Markdown, for pull requests and the summaries of build servers. */
import { code, text } from '../markdown/escape.ts';
import { counted, marks, verdictLine, verdictOrder } from '../wording.ts';
import { type Changes, changeKinds } from './changes.ts';
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
import { type Cell, gapDifferences, type Matrix, shownSections } from './matrix.ts';

/** Characters; a comment of GitHub takes 65,536. */
const usualBudget = 60_000;

/** A part of the text of which entries at its end can be left out. */
interface Part {
  readonly before: readonly string[];
  readonly entries: readonly string[];
  readonly noun: string;
}

/** Of each part, what does not fit into the budget is left out and counted. */
export function renderComparisonMarkdown(comparison: Comparison, budget = usualBudget): string {
  const { matrix, changes } = comparison;
  const parts = [
    headPart(comparison),
    ...(changes === undefined ? matrixParts(comparison) : changeParts(changes)),
    ...gapParts(matrix),
  ];
  const room = { left: budget };
  return `${parts
    .map((part) => fitted(part, room))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Characters that are kept for the sentence about what is left out. */
const forTheRest = 80;

function fitted({ before, entries, noun }: Part, room: { left: number }): string {
  const head = before.join('\n');
  room.left -= head.length + forTheRest;
  if (room.left < 0) return '';
  const kept: string[] = [];
  for (const entry of entries) {
    if (entry.length + 1 > room.left) break;
    room.left -= entry.length + 1;
    kept.push(entry);
  }
  const left = entries.length - kept.length;
  return [head, ...kept, ...(left > 0 ? ['', `And ${counted(left, `more ${noun}`)}, left out here.`] : [])].join('\n');
}

function headPart({ matrix, changes }: Comparison): Part {
  const line = changes === undefined ? differencesText(matrix) : `From A to B: ${changesText({ matrix, changes })}`;
  const title = changes === undefined ? 'Targets compared' : 'Two runs compared';
  const said = [...deathsIn(matrix), line].join('. ');
  const before = [`## ${title}: ${text(said)}`, '', '| | Target | Verdict |', '| --- | --- | --- |'];
  const entries = matrix.columns.map(
    ({ letter, label, result }) => `| **${letter}** | ${text(label)} | ${text(shortened(verdictLine(result), 300))} |`,
  );
  return { before, entries, noun: 'target' };
}

function matrixParts({ matrix, all }: Comparison): Part[] {
  const sections = shownSections(matrix, all);
  if (sections.length === 0) return [{ before: ['All of them do the same.'], entries: [], noun: '' }];
  const letters = matrix.columns.map(({ letter }) => letter);
  const rows = sections.flatMap(({ section, rows }) => [
    `| **${text(section)}** |${' |'.repeat(letters.length)}`,
    ...rows.map(({ requirement, cells }) => `| ${code(requirement.id)} | ${cells.map(cellMarkdown).join(' | ')} |`),
  ]);
  const before = [
    legendText(matrix),
    '',
    `| Requirement | ${letters.join(' | ')} |`,
    `| --- |${' --- |'.repeat(letters.length)}`,
  ];
  return [{ before, entries: rows, noun: 'row' }];
}

function legendText({ sections }: Matrix): string {
  const cells = sections.flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const verdicts = verdictOrder.filter((verdict) => cells.some((cell) => cell?.verdict === verdict));
  return verdicts.map((verdict) => `${marks[verdict]} ${verdict}`).join(' · ');
}

/** Characters of what stands beside a sign. */
const longestCell = 80;

function cellMarkdown(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return `${marks[cell.verdict]} ${text(shortened(cellText(cell), longestCell))}`.trim();
}

function shortened(words: string, limit: number): string {
  return words.length <= limit ? words : `${words.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function changeParts({ changes, lost }: Changes): Part[] {
  const parts = changeKinds.map((kind): Part => {
    const own = changes.filter((change) => change.kind === kind);
    const entries = own.map((change) =>
      [
        `- ${changeMarks[kind]} ${code(change.requirement.id)}${change.otherwise ? ', otherwise than before' : ''}: ${text(change.requirement.says)}`,
        ...changeSentences(change).map((sentence) => `  - ${text(shortened(sentence, 400))}`),
      ].join('\n'),
    );
    return { before: [`### ${changeTitles[kind]} (${own.length})`, ''], entries, noun: 'requirement' };
  });
  const noMore = {
    before: ['### Kept by A, and not judged by B', ''],
    entries: lost.map(({ id }) => `- ${code(id)}`),
    noun: 'requirement',
  };
  return [...parts, noMore].filter(({ entries }) => entries.length > 0);
}

/** Characters of what one target does. */
const longestGap = 300;

function gapParts(matrix: Matrix): Part[] {
  const rows = gapDifferences(matrix);
  if (rows.length === 0) return [];
  const before = ['### What the specification leaves open, and what each does', ''];
  const entries = rows.map((row) =>
    [
      `- ${code(row.requirement.id)}: ${text(row.requirement.says)}`,
      ...gapGroups(row, matrix.columns).map(
        ({ letters, does }) => `  - **${letters.join(' ')}** ${text(shortened(does, longestGap))}`,
      ),
    ].join('\n'),
  );
  return [{ before, entries, noun: 'case' }];
}
