import type pc from 'picocolors';
import type { CheckState, ScenarioState, Verdict } from '../../scenarios/index.ts';
import type { Tone } from '../document/model.ts';
import { headOf, visibleText } from '../visible-text.ts';
import { marks } from '../wording.ts';
import { wrap } from './wrap.ts';

/** What the blocks of the report are drawn with. */
export interface Screen {
  readonly columns: number;
  readonly verbose: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
}

type Paint = (text: string) => string;

export function heading(screen: Screen, text: string): string {
  return screen.colors.bold(text);
}

export function dimmed(screen: Screen, lines: readonly string[]): string[] {
  return lines.map((line) => screen.colors.dim(line));
}

/** A text of the run (a sentence, a reason, what the target did), made visible and wrapped behind a label. */
export function prose(screen: Screen, text: string, first: string): string[] {
  return wrap(shortened(visibleText(text)), screen.columns, first);
}

/** The sign of a verdict or state in its colour. */
export function mark(screen: Screen, state: Verdict | CheckState | ScenarioState): string {
  return paint(screen, state)(marks[state]);
}

export function paint({ colors }: Screen, state: Verdict | CheckState | ScenarioState): Paint {
  if (marks[state] === '✗') return colors.red;
  if (marks[state] === '!' || marks[state] === '†') return colors.magenta;
  if (['○', '△', '≈'].includes(marks[state])) return colors.yellow;
  return marks[state] === '✓' ? colors.green : colors.dim;
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
