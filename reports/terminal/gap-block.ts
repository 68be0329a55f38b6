import type { GapObservation, RequirementResult, RunResult } from '../../scenarios/index.ts';
import { gapFacts } from '../gap-facts.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, prose, type Screen } from './screen.ts';
import { wrap } from './wrap.ts';

/** What the target does where the specification leaves it open: never a failure. */
export function gapBlock(screen: Screen, result: RunResult): string[] {
  const observed = result.requirements.filter(({ gaps }) => gaps.length > 0);
  if (observed.length === 0) return [];
  const gaps = observed.flatMap((requirement) => requirement.gaps);
  const otherwise = gaps.filter(({ asReference }) => !asReference).length;
  const counts = `${counted(gaps.length, 'observation')}: ${gaps.length - otherwise} as the reference CSE, ${otherwise} otherwise. None of them is a failure.${
    otherwise > 0 ? ' Below: what the reference CSE does, then what this target does.' : ''
  }`;
  const blocks = observed
    .map((requirement) => requirementLines(screen, requirement))
    .filter((lines) => lines.length > 0);
  const shown = screen.verbose ? blocks : blocks.slice(0, mostShown);
  const left = blocks.length - shown.length;
  return [
    heading(screen, 'What the specification leaves open'),
    ...wrap(counts, screen.columns, '  '),
    ...shown.flat(),
    ...(left === 0 ? [] : wrap(`and ${left} more (all with --verbose, and in the HTML report)`, screen.columns, '  ')),
    '',
  ];
}

/** So many requirements that a target keeps in its own way, unless all are asked for. */
const mostShown = 25;

function requirementLines(screen: Screen, { id, says, gaps }: RequirementResult): string[] {
  const shown = screen.verbose ? gaps : gaps.filter(({ asReference }) => !asReference);
  if (shown.length === 0) return [];
  return [
    `  ${id}`,
    ...dimmed(screen, prose(screen, says, '    ')),
    ...gapFacts(shown).flatMap(({ actual, asReference, seen }) => [
      ...prose(screen, asReference ? `${actual} (as the reference CSE)` : actual, '    · '),
      ...(screen.verbose ? scenariosOf(seen).map((id) => screen.colors.dim(`      ${id}`)) : []),
    ]),
  ];
}

function scenariosOf(seen: readonly GapObservation[]): string[] {
  return [...new Set(seen.map(({ scenario }) => scenario))];
}
