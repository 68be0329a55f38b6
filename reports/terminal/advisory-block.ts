import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { indexEvidence, placeText } from '../evidence.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, mark, prose, type Screen } from './screen.ts';

/** What is told and does not count: each requirement of another dialect that the target does not keep. */
export function advisoryBlock(screen: Screen, result: RunResult): string[] {
  const evidence = indexEvidence(result);
  const advisory = result.requirements.filter(({ verdict }) => verdict === 'advisory');
  if (advisory.length === 0) return [];
  return [
    heading(screen, `Advisory: ${counted(advisory.length, 'requirement')}`),
    ...prose(screen, 'Stated for another dialect than the one that this target is judged by. None is a failure.', '  '),
    ...advisory.flatMap((requirement) => {
      const failures = requirement.violations.flatMap((reference) => evidence.at(reference) ?? []);
      const deviations = new Set(failures.map(({ check }) => check.actual));
      return [
        ...requirementLines(screen, requirement),
        ...[...deviations].flatMap((actual) => prose(screen, actual, '    · ')),
        ...(screen.verbose
          ? dimmed(
              screen,
              failures.map(({ check, scenario }) => `      ${placeText(check)}  ${scenario.id}`),
            )
          : []),
      ];
    }),
    '',
  ];
}

function requirementLines(screen: Screen, { id, says, source }: RequirementResult): string[] {
  return [`  ${mark(screen, 'advisory')} ${id}`, ...dimmed(screen, prose(screen, `${says} (${source})`, '    '))];
}
