/** A document for a terminal or text file: the details first, the summary last, where the prompt will be. */
import pc from 'picocolors';
import { counted, percent, visibleLines, visibleText } from '../facts/wording.ts';
import { type ByKind, blocksOf, byKind, isMuted } from './by-kind.ts';
import {
  type Code,
  type Content,
  type Document,
  type DocumentStep,
  type Fold,
  type Medium,
  type Of,
  textOf,
  type View,
  type Words,
} from './model.ts';
import { dimmed, hardWrap, type Screen, toned, wrap, wrapList, wrapped } from './screen.ts';
import { signLines, tableLines, wideLines } from './text-tables.ts';

export interface TextOptions {
  readonly color: boolean;
  readonly columns: number;
  readonly verbose: boolean;
}

export function screenOf({ color, columns, verbose }: TextOptions): Screen {
  return { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
}

/** The parts of a document in a text. */
export interface TerminalText extends Pick<Document, 'headline' | 'alarms' | 'lead' | 'intro' | 'counts' | 'nothing'> {
  readonly views: ReadonlyArray<Pick<View, 'on' | 'content'>>;
}

/** The whole document, without control characters of a target's. */
export function renderText(document: TerminalText, options: TextOptions): string {
  const screen = screenOf(options);
  const { alarms = [], intro, views, counts, lead, headline, nothing } = document;
  const visible = views.filter(({ on }) => on === undefined || visibleOn(screen)(on));
  const viewLines = visible.flatMap(({ content }) => paragraph(contentLines(screen, content)));
  const lines = [
    ...alarms.flatMap((line) => wrapped(screen, line, '† ').map(screen.colors.bold)),
    ...paragraph(contentLines(screen, intro)),
    ...(viewLines.length === 0 && nothing !== undefined ? [nothing, ''] : viewLines),
    ...(counts === undefined ? [] : paragraph(countLines(screen, counts))),
    ...lead.flatMap((sentence) => wrap(visibleText(sentence), screen.columns)),
    ...wrap(visibleText(`${headline}.`), screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

const visibleOn =
  ({ verbose }: Screen) =>
  (on: Medium) =>
    on === 'text' || on === (verbose ? 'verbose' : 'brief');

const paragraph = (lines: string[]): string[] => (lines.length === 0 || lines.at(-1) === '' ? lines : [...lines, '']);

function countLines(screen: Screen, { title, of, each }: NonNullable<Document['counts']>): string[] {
  const counted = each.filter(({ count, always }) => count > 0 || always);
  return [
    screen.colors.bold(title),
    ...counted.flatMap(({ mark, tone, says, count }) => {
      const numbers = `${count.toLocaleString('en').padStart(6)}  ${percent(count, of).padStart(7)}`;
      const [first = '', ...rest] = wrap(says, screen.columns, `  ${mark} ${numbers}  `);
      return [first.replace(mark, () => toned(screen, tone)(mark)), ...rest];
    }),
  ];
}

/** Blocks alone. */
export function contentText(content: Content, options: TextOptions): string {
  return `${contentLines(screenOf(options), content).join('\n')}\n`;
}

/** The lines of some blocks, indented. */
export function contentLines(screen: Screen, content: Content, indent = ''): string[] {
  return blocksOf(content, visibleOn(screen)).flatMap((block) => byKind(linesBy, block, screen, indent));
}

const linesBy: ByKind<[screen: Screen, indent: string], string[]> = {
  heading: ({ text }, { colors }, indent) => [colors.bold(indent + visibleText(text))],
  prose: (block, screen, indent) =>
    block.isWhole
      ? [`${indent}${block.sign ?? ''}${visibleText(textOf(block.words))}`]
      : proseLines(screen, block, indent),
  facts: ({ facts }, screen, indent) => factLines(screen, facts, indent),
  list: (block, screen, indent) => listLines(screen, block, indent),
  code: (block, screen, indent) => codeLines(screen, block, indent),
  steps: ({ steps }, screen) => steps.flatMap((step) => stepLines(screen, step)),
  picture: () => [],
  details: ({ summary, content }, screen, indent) => [
    '',
    ...wrapped(screen, `${textOf(summary)}:`, indent),
    ...contentLines(screen, content, `${indent}  `),
  ],
  group: ({ title, content }, screen, indent) => [
    ...wrapped(screen, title, indent).map(screen.colors.bold),
    ...contentLines(screen, content, indent),
    '',
  ],
  table(block, screen, indent) {
    if (block.signs !== undefined) return signLines(screen, block);
    return block.columns.every(({ name }) => name.length > 1)
      ? tableLines(screen, block)
      : wideLines(screen, block, indent);
  },
  fold: (block, screen, indent) => foldLines(screen, block, indent),
};

function proseLines(screen: Screen, { words, sign = '', tone }: Of<'prose'>, indent: string) {
  const [first = '', ...rest] = paintWords(screen, words, indent + sign);
  const trimmed = sign.trim();
  return [tone === undefined ? first : first.replace(trimmed, () => toned(screen, tone)(trimmed)), ...rest];
}

/** A sentence of one span has the style of that span. */
function paintWords(screen: Screen, words: Words, first: string): string[] {
  if (isMuted(words)) return dimmed(screen, wrapped(screen, textOf(words), first));
  if (typeof words === 'string' || !('text' in words)) return wrapped(screen, textOf(words), first);
  const lines = words.isWhole
    ? wrap(visibleText(words.text), screen.columns, first)
    : wrapped(screen, words.text, first);
  const paint = toned(screen, words.tone);
  return words.as === 'strong' ? lines.map((line) => screen.colors.bold(paint(line))) : lines.map(paint);
}

const labelWidth = 8;

function factLines(screen: Screen, all: readonly (readonly [string, ...Words[]])[], indent: string): string[] {
  const longest = Math.max(...all.map(([label]) => label.length));
  const width = (longest < 3 ? longest : Math.max(longest, labelWidth)) + 2;
  return all.flatMap(([label, ...lines]) =>
    lines.flatMap((words, at) => paintWords(screen, words, indent + (at === 0 ? label : '').padEnd(width))),
  );
}

function listLines(screen: Screen, list: Of<'list'>, indent: string): string[] {
  const { items, isOrdered, most = items.length, ids, indent: before = 2 } = list;
  const visible = screen.verbose ? items : items.slice(0, most);
  const left = items.length - visible.length;
  const more = left === 0 ? [] : [`and ${left.toLocaleString('en')} more (-v)`];
  if (ids !== undefined)
    return dimmed(screen, wrapList([...visible.map(textOf), ...more], screen.columns, indent + ' '.repeat(before)));
  const sign = (at: number) => (isOrdered ? `${at + 1}`.padStart(2).padEnd(4) : '· ');
  return [
    ...visible.flatMap((words, at) => paintWords(screen, words, indent + sign(at))),
    ...more.map((text) => indent + text),
  ];
}

function codeLines(
  screen: Screen,
  { text, label, isCopied, most = Number.POSITIVE_INFINITY }: Code,
  indent: string,
): string[] {
  if (isCopied) return ['', ...visibleLines(text).map((line) => indent + line)];
  const width = Math.max(screen.columns - indent.length - labelWidth - 2, 20);
  const lines = visibleLines(text).flatMap((line) => hardWrap(line, width));
  if (lines.length > most) lines.splice(most - 1, lines.length, `… (${counted(text.length, 'character')} in all)`);
  return [
    '',
    ...lines.map((line, at) => `${indent}${(at === 0 ? label : '').padEnd(labelWidth + 2)}${line}`.trimEnd()),
  ];
}

function stepLines(screen: Screen, { phase, title, number, isLast, content }: DocumentStep): string[] {
  const sign = `${isLast ? '▶' : ' '} ${`${number}`.padStart(2)} `;
  const [first = '', ...rest] = wrapped(screen, `${phase === '' ? '' : `${phase}: `}${title}`, sign);
  const head = sign.replace('▶', screen.colors.red('▶')) + screen.colors.bold(first.slice(sign.length));
  return ['', head, ...rest, ...contentLines(screen, content, ' '.repeat(sign.length))];
}

function foldLines(screen: Screen, fold: Fold, indent: string): string[] {
  const { id, mark = '', state, hidesState, note, says, content, tone } = fold;
  const title =
    [id, ...(state === undefined || hidesState ? [] : [state])].join('  ') + (note === undefined ? '' : `, ${note}`);
  const [first = '', ...rest] = wrapped(screen, title, `${indent}${mark}${mark === '' ? '' : ' '}`);
  const paint = toned(screen, tone);
  const sign = mark.trim();
  const head = first.replace(sign, () => paint(sign)).replace(id, () => screen.colors.bold(id));
  const below = `${indent}  `;
  return [
    head,
    ...rest,
    ...(says === '' ? [] : dimmed(screen, wrapped(screen, says, below))),
    ...contentLines(screen, content, below),
  ];
}
