import type pc from 'picocolors';
import { headOf, looks, type ResultState, type Tone, visibleText } from '../facts/wording.ts';

/** Width, detail and colours of a text. */
export interface Screen {
  readonly columns: number;
  readonly verbose: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
}

export function dimmed(screen: Screen, lines: readonly string[]): string[] {
  return lines.map((line) => screen.colors.dim(line));
}

/** A text of the run (a sentence, a reason, what the target did), made visible and wrapped behind a label. */
export function wrapped(screen: Screen, text: string, first: string): string[] {
  const visible = visibleText(text);
  const isShort = visible.length <= longestProse;
  const shown = isShort ? visible : `${headOf(visible, longestProse)}… (${visible.length} characters)`;
  return wrap(shown, screen.columns, first);
}

/** The sign of a verdict or state in its colour. */
export const mark = (screen: Screen, state: ResultState): string => toned(screen, looks[state].tone)(looks[state].mark);

/** The colour of a tone. */
export function toned({ colors }: Screen, tone: Tone | undefined): (text: string) => string {
  if (tone === undefined || tone === 'seen') return (text) => text;
  return { good: colors.green, open: colors.yellow, bad: colors.red, fault: colors.magenta, quiet: colors.dim }[tone];
}

const longestProse = 800;

const wide =
  /[\p{Emoji_Presentation}\u{1100}-\u{115F}\u{2E80}-\u{A4CF}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FF00}-\u{FF60}]/u;
const zero = /\p{M}|[\u{200B}-\u{200D}]|[\u{FE00}-\u{FE0F}]/u;
/** Paths and addresses are copied by hand: up to this length they are not cut. */
const longestUncut = 200;

/** Columns of a text without control characters in a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (character <= '~') return 1;
  return zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

/** The longest head of a text that fits into so many columns; at least one character. */
export function headThatFits(text: string, columns: number): string {
  let head = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (head !== '' && width > columns) break;
    head += character;
  }
  return head;
}

/** Cuts a text into pieces of at most so many columns, anywhere. */
export function hardWrap(text: string, columns: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  do {
    const piece = headThatFits(rest, columns);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  } while (rest !== '');
  return pieces;
}

/** One line of at most so many columns; an ellipsis stands for what is left out. */
export function cut(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${headThatFits(text, columns - 1)}…`;
}

/**
 * Wraps a text at its spaces. `first` stands before the first line, spaces of the same width before the others.
 * Words that are too long are cut, save paths.
 */
export function wrap(text: string, columns: number, first = ''): string[] {
  const width = Math.max(columns - displayWidth(first), 16);
  return fillLines(
    text.split(' ').flatMap((part) => breakable(part, width)),
    width,
    first,
  );
}

/** Wraps ids, which are never cut, as a list with commas. */
export function wrapList(ids: readonly string[], columns: number, first: string): string[] {
  const items = ids.map((id, index) => (index === ids.length - 1 ? id : `${id},`));
  return fillLines(items, columns - displayWidth(first), first);
}

/** Lines of as many words as fit, and at least one. */
function fillLines(words: readonly string[], width: number, first: string): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.pop() ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) lines.push(line, word);
    else lines.push(longer);
  }
  const indent = ' '.repeat(displayWidth(first));
  return lines.map((line, index) => (index === 0 ? first : indent) + line);
}

function breakable(word: string, width: number): string[] {
  if (word.length <= longestUncut && word.includes('/')) return [word];
  return displayWidth(word) <= width ? [word] : hardWrap(word, width);
}
