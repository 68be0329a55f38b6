import type { RunResult } from '../../scenarios/index.ts';
import { deathFacts, deathHeadline } from '../death-facts.ts';
import { heading, prose, type Screen } from './screen.ts';

/** That the target died, before anything else is said. */
export function deathLine(screen: Screen, result: RunResult): string[] {
  const line = deathHeadline(result);
  return line === '' ? [] : prose(screen, line, '† ').map((one) => screen.colors.bold(screen.colors.red(one)));
}

/** Each death with its requests, and how to send them. */
export function deathBlock(screen: Screen, result: RunResult): string[] {
  const facts = deathFacts(result);
  if (facts.length === 0) return [];
  return [
    heading(screen, 'The target died'),
    ...facts.flatMap(({ title, lines, curl }) => [
      `  ${screen.colors.red('†')} ${title}`,
      ...lines.flatMap((line) => prose(screen, line, '    · ')),
      ...curl.flatMap((line) => prose(screen, line, '      ')).map(screen.colors.dim),
    ]),
    '',
  ];
}
