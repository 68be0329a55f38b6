import type pc from 'picocolors';
import { headOf, visibleText } from '../visible-text.ts';
import { looks, type State, type Tone } from '../wording.ts';
import { wrap } from './wrap.ts';

/** What the blocks of the report are drawn with. */
export interface Screen {
  readonly columns: number;
  readonly verbose: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export function dimmed(screen: Screen, lines: readonly string[]): string[] {
  return lines.map((line) => screen.colors.dim(line));
}

/** A text of the run (a sentence, a reason, what the target did), made visible and wrapped behind a label. */
export function prose(screen: Screen, text: string, first: string): string[] {
  return wrap(shortened(visibleText(text)), screen.columns, first);
}

/** The sign of a verdict or state in its colour. */
export function mark(screen: Screen, state: State): string {
  return toned(screen, looks[state].tone)(looks[state].mark);
}

/** The colour of a tone. */
export function toned({ colors }: Screen, tone: Tone | undefined): (text: string) => string {
  if (tone === undefined || tone === 'seen') return (text) => text;
  return { good: colors.green, open: colors.yellow, bad: colors.red, fault: colors.magenta, quiet: colors.dim }[tone];
}

const longestProse = 800;

function shortened(text: string): string {
  return text.length <= longestProse ? text : `${headOf(text, longestProse)}… (${text.length} characters)`;
}
