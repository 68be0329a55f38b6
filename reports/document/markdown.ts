/** A document as Markdown, for pull requests and the summaries of build servers. */
import { code, fence, text } from '../markdown/escape.ts';
import { headOf, visibleLines } from '../visible-text.ts';
import { counted } from '../wording.ts';
import {
  type Block,
  blocksOf,
  type Content,
  type Document,
  type Fold,
  type Table,
  textOf,
  type Words,
} from './model.ts';

/** Characters; a comment of GitHub takes 65,536. */
const usualBudget = 60_000;
/** Characters that are kept for the sentence about what is left out. */
const forTheRest = 80;

/** A part of which entries at its end can be left out. */
interface Part {
  readonly head: string;
  readonly entries: readonly string[];
  readonly noun: string;
}

/** Of each part, what does not fit into the budget is left out and counted. */
export function renderMarkdown(
  { kind, alarms = [], headline, lead, intro, views, nothing }: Document,
  budget = usualBudget,
): string {
  const shown = views.filter(({ on }) => on === undefined || on === 'brief');
  const told = shown.flatMap(({ content }) => partsOf(content));
  const parts = [
    {
      head: `## ${text([...alarms, headline].join('. '))}`,
      entries: [kind, ...lead].map((sentence) => `\n${text(sentence)}`),
      noun: 'sentence',
    },
    ...partsOf(intro),
    ...(told.length === 0 && nothing !== undefined ? partsOf(nothing) : told),
  ];
  const room = { left: budget };
  return `${parts
    .map((part) => fitted(part, room))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

function isShown(on: string): boolean {
  return on === 'text' || on === 'verbose';
}

function fitted({ head, entries, noun }: Part, room: { left: number }): string {
  room.left -= head.length + forTheRest;
  if (room.left < 0) return '';
  const kept: string[] = [];
  for (const entry of entries) {
    if (entry.length + 1 > room.left) break;
    room.left -= entry.length + 1;
    kept.push(entry);
  }
  const left = entries.length - kept.length;
  return [
    ...(head === '' ? [] : [head]),
    ...kept,
    ...(left > 0 ? ['', `And ${counted(left, `more ${noun}`)}, left out here.`] : []),
  ].join('\n');
}

/** Groups and tables are parts of their own; what stands between them is one. */
function partsOf(content: Content): Part[] {
  return blocksOf(content, isShown).flatMap((block): Part[] => {
    if (block.kind === 'group')
      return [{ head: `### ${text(block.title)}\n`, entries: entriesOf(block.content), noun: 'entry' }];
    if (block.kind === 'table') return [tablePart(block)];
    return [{ head: '', entries: entriesOf(block), noun: 'entry' }];
  });
}

export function entriesOf(content: Content): string[] {
  return blocksOf(content, isShown).flatMap((block) =>
    block.kind === 'list' || block.kind === 'facts' ? linesOf(block) : linesOf(block).join('\n'),
  );
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`**${text(block.text)}**`];
    case 'prose':
      return [said(block.words)];
    case 'facts':
      return block.facts.flatMap(([label, ...lines]) => `- **${text(label)}** ${lines.map(said).join('; ')}`);
    case 'list':
      return listLines(block);
    case 'code':
      return ['', fence(visibleLines(shortened(block.text, longestCode)).join('\n')), ''];
    case 'fold':
      return foldLines(block);
    case 'details':
      return entriesOf(block.content).map((line) => line.replace(/^- /, `- ${said(block.summary)}: `));
    default:
      return partsOf(block).flatMap(({ head, entries }) => [head, ...entries]);
  }
}

function listLines({ items, most = items.length, ids }: Extract<Block, { kind: 'list' }>): string[] {
  const left = items.length - most;
  const shown = items.slice(0, most).map((words) => (ids === undefined ? said(words) : code(textOf(words))));
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].map((line) => `- ${line}`);
}

/** What holds messages is folded. */
function foldLines({ id, mark = '', note, says, content }: Fold): string[] {
  if (blocksOf(content, isShown).some(({ kind }) => kind === 'code')) {
    const summary = `<summary>${mark} <code>${text(id)}</code> ${text(says)}</summary>`;
    return [['<details>', summary, '', ...entriesOf(content), '</details>'].join('\n')];
  }
  const head = `- ${mark === '' ? '' : `${mark} `}${code(id)}${note === undefined ? '' : `, ${text(note)}`}: ${text(says)}`;
  return [head, ...entriesOf(content).map((line) => `  ${line.startsWith('- ') ? line : `- ${line}`}`)];
}

/** Characters of a sentence, and of what stands beside a sign. */
const [longest, longestCell, longestCode] = [400, 80, 4000];

function said(words: Words): string {
  if (typeof words === 'string') return text(shortened(words, longest));
  if (!('text' in words)) return words.map(said).join('');
  return words.as === 'code'
    ? code(words.text)
    : words.as === 'strong'
      ? `**${text(words.text)}**`
      : text(shortened(words.text, longest));
}

export function shortened(words: string, limit: number): string {
  return words.length <= limit ? words : `${headOf(words, limit)}…`;
}

function tablePart({ columns, groups, signs }: Table): Part {
  const names = columns.map(({ name }) => name);
  const head = [
    ...(signs === undefined ? [] : [signs.legend.map(([mark, word]) => `${mark} ${word}`).join(' · '), '']),
    `| Requirement | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
  ];
  const entries = groups.flatMap(({ title, rows }) => [
    ...(title === undefined ? [] : [`| **${text(title)}** |${' |'.repeat(names.length)}`]),
    ...rows.map(({ id, cells }) => {
      const told = cells.map((cell) =>
        cell === undefined ? '' : `${cell.mark ?? ''} ${text(shortened(cell.text, longestCell))}`.trim(),
      );
      return `| ${code(id)} | ${told.join(' | ')} |`;
    }),
  ]);
  return { head: head.join('\n'), entries, noun: 'row' };
}
