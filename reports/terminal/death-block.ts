import type { RunResult } from '../../scenarios/index.ts';
import { deathsTold, gapsTold } from '../check/run-told.ts';
import { deathHeadline } from '../death-facts.ts';
import type { Content } from '../document/model.ts';
import { contentLines } from '../document/terminal.ts';
import { heading, prose, type Screen } from './screen.ts';

/** That the target died, before anything else is said. */
export function deathLine(screen: Screen, result: RunResult): string[] {
  const line = deathHeadline(result);
  return line === '' ? [] : prose(screen, line, '† ').map((one) => screen.colors.bold(screen.colors.red(one)));
}

export function deathBlock(screen: Screen, result: RunResult): string[] {
  return titled(screen, 'The target died', deathsTold(result));
}

/** What the target does where the specification leaves it open: never a failure. */
export function gapBlock(screen: Screen, result: RunResult): string[] {
  return titled(screen, 'What the specification leaves open', gapsTold(result));
}

function titled(screen: Screen, title: string, content: Content): string[] {
  const lines = contentLines(screen, content, '  ');
  return lines.length === 0 ? [] : [heading(screen, title), ...lines, ''];
}
