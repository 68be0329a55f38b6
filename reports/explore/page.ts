import type pc from 'picocolors';
import type { ExploreResult } from '../../scenarios/index.ts';
import { deathFacts } from '../death-facts.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { exitWords } from './exit-words.ts';

export interface ExplorationPage {
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  /** Where the counterexample was written. */
  readonly file?: string;
}

/** What was found, what was exercised, then the notes and how it ended. */
export function pageText(
  { notes, exit }: Pick<ExploreResult, 'notes' | 'exit'>,
  found: readonly string[],
  exercised: readonly string[],
): string {
  const lines = [
    ...(found.length === 0 ? [] : [...found, '']),
    ...exercised,
    ...notes.map((note) => `note: ${visibleText(note)}`),
    '',
    `${exitWords[exit.code]}: ${visibleText(exit.reason)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Each death of the target with its requests, and how to send them. */
export function deathLines(
  result: Parameters<typeof deathFacts>[0],
  page: Pick<ExplorationPage, 'columns' | 'colors'>,
  which = '',
): string[] {
  const { columns, colors } = page;
  return deathFacts(result).flatMap(({ title, says, lines, curl }) => [
    ...wrap(visibleText(`${which}${says}. ${title}`), columns, `${colors.red('†')} `).map(colors.bold),
    ...lines.flatMap((line) => wrap(visibleText(line), columns, '  · ')),
    // To be copied, so that they are not broken.
    ...curl.map((line) => `    ${visibleText(line)}`),
    '',
  ]);
}

/** A cross for what was seen again, another sign for what was seen once. */
export function foundMark(confirmed: boolean, { colors }: ExplorationPage): string {
  return confirmed ? colors.red('✗') : colors.yellow('≈');
}

/** A fact about what was found, below its label. */
export function factLines(label: string, text: string, { columns }: ExplorationPage): string[] {
  return wrap(visibleText(text), columns, `  ${label.padEnd(9)}`);
}

/** How often each of these was there; no line for none. */
export function countLines(
  label: string,
  counts: Readonly<Record<string, number>>,
  { columns }: ExplorationPage,
): string[] {
  const text = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
  return text.length === 0 ? [] : wrap(visibleText(text.join(', ')), columns, label.padEnd(14));
}

/** How often each requirement was judged; how many, unless it is to be verbose. */
export function requirementLines(counts: Readonly<Record<string, number>>, page: ExplorationPage): string[] {
  if (page.verbose) return countLines('requirements', counts, page);
  return [`${'requirements'.padEnd(14)}${Object.keys(counts).length} judged; -v lists them`];
}
