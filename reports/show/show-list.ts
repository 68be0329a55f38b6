import type { RunResult } from '../../scenarios/index.ts';
import { dimmed, mark, prose, type Screen } from '../terminal/screen.ts';
import { counted, targetText, verdictLine } from '../wording.ts';
import { failuresOf } from './failures.ts';

/** Every failure with its short id, by which it is shown and replayed. */
export function showList(screen: Screen, result: RunResult): string[] {
  const failures = failuresOf(result);
  const head = [
    ...prose(screen, `${targetText(result)}, run ${result.run}`, ''),
    ...prose(screen, verdictLine(result), ''),
    '',
  ];
  if (failures.length === 0) return [...head, 'Nothing failed.'];
  const requirements = new Set(failures.map(({ requirement }) => requirement?.id));
  return [
    ...head,
    screen.colors.bold(`${counted(failures.length, 'failure')} of ${counted(requirements.size, 'requirement')}`),
    ...failures.flatMap(({ id, requirement, evidence: { check, scenario, stepNumber } }) => [
      `  ${screen.colors.yellow(id)}  ${mark(screen, requirement?.verdict ?? check.state)} ${check.requirement}${check.known === undefined ? '' : ' (known)'}`,
      ...dimmed(screen, prose(screen, `${scenario.id}, step ${stepNumber}`, '           ')),
      ...prose(screen, check.actual, '           '),
    ]),
    '',
    ...dimmed(
      screen,
      prose(screen, 'cselab show REPORT ID tells all about one, cselab replay REPORT ID sends it again.', ''),
    ),
  ];
}
