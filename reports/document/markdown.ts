/** A document as Markdown, for pull requests and the summaries of build servers. */

import { counted, headOf, visibleLines, visibleText } from '../facts/wording.ts';
import { type ByKind, blocksOf, byKind, type VisibleBlock } from './by-kind.ts';
import {
  type Content,
  type Document,
  type DocumentStep,
  type Fold,
  type Of,
  type Table,
  textOf,
  type Words,
} from './model.ts';

/** Bytes; a comment of GitHub takes 65,536 characters. */
const defaultBudget = 60_000;
/** Bytes reserved for the sentence about what is left out. */
const omissionBytes = 80;

/** A part whose last entries can be left out. */
export interface MarkdownPart {
  readonly head: string;
  readonly entries: readonly string[];
  /** The text in place of so many entries. */
  leftOut(count: number): string;
  readonly after?: string;
}

/** As much of the parts as fits, in bytes. */
export function fitParts(parts: readonly MarkdownPart[], budget: number): string {
  let remaining = budget;
  const texts = parts.flatMap(({ head, entries, leftOut, after = '' }) => {
    const frame = Buffer.byteLength(head + after) + omissionBytes;
    if (frame > remaining) return [];
    remaining -= frame;
    const kept: string[] = [];
    for (const entry of entries) {
      const size = Buffer.byteLength(entry) + 1;
      if (size > remaining) break;
      remaining -= size;
      kept.push(entry);
    }
    const left = entries.length - kept.length;
    const lines = [...(head === '' ? [] : [head]), ...kept, ...(left > 0 ? ['', leftOut(left)] : [])];
    return `${lines.join('\n')}${after}`;
  });
  return `${texts.filter((part) => part !== '').join('\n\n')}\n`;
}

function partOf(head: string, entries: readonly string[], noun: string): MarkdownPart {
  return { head, entries, leftOut: (count) => `And ${counted(count, `more ${noun}`)}, left out here.` };
}

/** Entries that do not fit into the budget are left out and counted. */
export function renderMarkdown(
  { kind, alarms = [], headline, lead, intro, views, nothing }: Document,
  budget = defaultBudget,
): string {
  const visible = views.filter(({ on }) => on === undefined || on === 'brief');
  const contents = visible.flatMap(({ content }) => partsOf(content));
  const title = `## ${text([...alarms, headline].join('. '))}`;
  const sentences = [kind, ...lead].map((sentence) => `\n${text(sentence)}`);
  const parts = [
    partOf(title, sentences, 'sentence'),
    ...partsOf(intro),
    ...(contents.length === 0 && nothing !== undefined ? partsOf(nothing) : contents),
  ];
  return fitParts(parts, budget);
}

const isVisible = (on: string): boolean => on === 'text' || on === 'verbose';

/** Groups and tables are parts; so is each block between them. */
function partsOf(content: Content): MarkdownPart[] {
  return blocksOf(content, isVisible).flatMap((block): MarkdownPart[] => {
    if (block.kind === 'group') return [partOf(`### ${text(block.title)}\n`, entriesOf(block.content), 'entry')];
    if (block.kind === 'table') return [tablePart(block)];
    return [partOf('', entriesOf(block), 'entry')];
  });
}

export function entriesOf(content: Content): string[] {
  return blocksOf(content, isVisible).flatMap((block) =>
    block.kind === 'list' || block.kind === 'facts' ? linesOf(block) : linesOf(block).join('\n'),
  );
}

const linesOf = (block: VisibleBlock): string[] => byKind(linesBy, block);

const partLines = (block: VisibleBlock): string[] => partsOf(block).flatMap(({ head, entries }) => [head, ...entries]);

const linesBy: ByKind<[], string[]> = {
  heading: (block) => [`**${text(block.text)}**`],
  prose: ({ words }) => [inline(words)],
  facts: ({ facts }) => facts.flatMap(([label, ...lines]) => `- **${text(label)}** ${lines.map(inline).join('; ')}`),
  list: listLines,
  code: (block) => ['', fence(visibleLines(shortened(block.text, longestCode)).join('\n')), ''],
  fold: foldLines,
  details: ({ summary, content }) => entriesOf(content).map((line) => line.replace(/^- /, `- ${inline(summary)}: `)),
  steps: ({ steps }) => steps.flatMap(stepLines),
  picture: () => [],
  ...{ group: partLines, table: partLines },
};

function listLines({ items, most = items.length, ids }: Of<'list'>): string[] {
  const left = items.length - most;
  const visible = items.slice(0, most).map((words) => (ids === undefined ? inline(words) : code(textOf(words))));
  return [...visible, ...(left > 0 ? [`and ${left} more`] : [])].map((line) => `- ${line}`);
}

function stepLines({ number, phase, title, content }: DocumentStep): string[] {
  const head = `${number}. ${phase === '' ? '' : `${text(phase)}: `}${text(title)}`;
  return [head, ...entriesOf(content).flatMap((entry) => entry.split('\n').map((line) => `   ${line}`.trimEnd()))];
}

/** Folds what contains messages. */
function foldLines({ id, mark = '', note, says, content }: Fold): string[] {
  if (blocksOf(content, isVisible).some(({ kind }) => kind === 'code')) {
    const summary = `<summary>${mark} <code>${text(id)}</code> ${text(says)}</summary>`;
    return [['<details>', summary, '', ...entriesOf(content), '</details>'].join('\n')];
  }
  const head = `- ${mark === '' ? '' : `${mark} `}${code(id)}${note === undefined ? '' : `, ${text(note)}`}: ${text(says)}`;
  return [head, ...entriesOf(content).map((line) => `  ${line.startsWith('- ') ? line : `- ${line}`}`)];
}

/** Characters of a sentence, and of the text beside a sign. */
const [longest, longestCell, longestCode] = [400, 80, 4000];

function inline(words: Words): string {
  if (typeof words === 'string') return text(shortened(words, longest));
  if (!('text' in words)) return words.map(inline).join('');
  return words.as === 'code'
    ? code(words.text)
    : words.as === 'strong'
      ? `**${text(words.text)}**`
      : text(shortened(words.text, longest));
}

export function shortened(words: string, limit: number): string {
  return words.length <= limit ? words : `${headOf(words, limit)}…`;
}

function tablePart({ columns, groups, signs }: Table): MarkdownPart {
  const names = columns.map(({ name }) => name);
  const head = [
    ...(signs === undefined ? [] : [signs.legend.map(([mark, word]) => `${mark} ${word}`).join(' · '), '']),
    `| Requirement | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
  ];
  const entries = groups.flatMap(({ title, rows }) => [
    ...(title === undefined ? [] : [`| **${text(title)}** |${' |'.repeat(names.length)}`]),
    ...rows.map(({ id, cells }) => {
      const texts = cells.map((cell) =>
        cell === undefined ? '' : `${cell.mark ?? ''} ${text(shortened(cell.text, longestCell))}`.trim(),
      );
      return `| ${code(id)} | ${texts.join(' | ')} |`;
    }),
  ]);
  return partOf(head.join('\n'), entries, 'row');
}

/** Text on one line, escaped for Markdown: nothing of a target's becomes markup, a link or a mention. */
export function text(raw: string): string {
  return visibleText(raw.replace(/\s+/g, ' '))
    .replace(/[\\`*_{}[\]()#|~!]/g, (character) => `\\${character}`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//');
}

/** A span of code; it may contain backticks. */
export function code(raw: string): string {
  const visible = visibleText(raw.replace(/\s+/g, ' '));
  const ticks = '`'.repeat(longestRun(visible) + 1);
  const space = visible.startsWith('`') || visible.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${visible}${space}${ticks}`;
}

/** A block of code whose lines are visible already. */
export function fence(visible: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(visible) + 1));
  return `${ticks}text\n${visible}\n${ticks}`;
}

const longestRun = (visible: string): number => Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
