import type { RequirementResult, RunResult } from '../../scenarios/index.ts';
import { type Evidence, evidenceIn, placeText } from '../evidence.ts';
import { excuseText } from '../excuse.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, prose, type Screen } from './screen.ts';

/** The deviations that the baseline excuses, each with who answers for it; then the entries of it that cannot stand. */
export function knownBlock(screen: Screen, result: RunResult): string[] {
  const { baseline } = result;
  if (baseline === undefined) return [];
  const evidence = result.scenarios.flatMap(evidenceIn).filter(({ check }) => check.known !== undefined);
  const problems = baseline.problems.flatMap(({ kind, says }) => prose(screen, `${kind}: ${says}`, '  ✗ '));
  return [
    ...(evidence.length === 0 ? [] : [heading(screen, `Known deviations: ${counted(evidence.length, 'check')}`)]),
    ...result.requirements.flatMap((requirement) => requirementLines(screen, requirement, evidence)),
    ...(evidence.length === 0 ? [] : ['']),
    ...(problems.length === 0
      ? []
      : [heading(screen, `Baseline ${baseline.file}: what cannot stand`), ...problems.map(screen.colors.red), '']),
  ];
}

function requirementLines(screen: Screen, { id, says }: RequirementResult, all: readonly Evidence[]): string[] {
  const own = all.filter(({ check }) => check.requirement === id);
  const told = new Set(own.map(({ check }) => JSON.stringify(check.known)));
  if (own.length === 0) return [];
  return [
    `  ${screen.colors.yellow('~')} ${id}`,
    ...dimmed(screen, prose(screen, says, '    ')),
    ...[...told].flatMap((known) => {
      const same = own.filter(({ check }) => JSON.stringify(check.known) === known);
      return deviationLines(screen, same);
    }),
  ];
}

function deviationLines(screen: Screen, same: readonly Evidence[]): string[] {
  const [first] = same;
  if (first === undefined) return [];
  const actual = new Set(same.map(({ check }) => check.actual));
  const places = same.map(({ check, scenario }) => `      ${placeText(check)}  ${scenario.id}`);
  return [
    ...prose(screen, excuseText(first.check.known ?? {}), '    · '),
    ...(screen.verbose
      ? [...[...actual].flatMap((one) => prose(screen, one, '      ')), ...dimmed(screen, places)]
      : []),
  ];
}
