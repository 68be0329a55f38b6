import { visibleText } from '../visible-text.ts';

/** Text as Markdown shows it by the letter, on one line: nothing of a target's becomes markup, a link or a mention. */
export function text(raw: string): string {
  return visibleText(raw.replace(/\s+/g, ' '))
    .replace(/[\\`*_{}[\]()#|~!]/g, (character) => `\\${character}`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//');
}

/** A span of code; it may hold backticks. */
export function code(raw: string): string {
  const shown = visibleText(raw.replace(/\s+/g, ' '));
  const ticks = '`'.repeat(longestRun(shown) + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** A block of code whose lines are visible already. */
export function fence(shown: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${ticks}text\n${shown}\n${ticks}`;
}

function longestRun(shown: string): number {
  return Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
}
