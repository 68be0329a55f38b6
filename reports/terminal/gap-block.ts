import type { GapObservation, RequirementResult, RunResult } from '../../scenarios/index.ts';
import { counted } from '../wording.ts';
import { dimmed, heading, prose, type Screen } from './screen.ts';
import { wrap } from './wrap.ts';

/** What the target does where the specification leaves it open: never a failure. */
export function gapBlock(screen: Screen, result: RunResult): string[] {
  const observed = result.requirements.filter(({ gaps }) => gaps.length > 0);
  if (observed.length === 0) return [];
  const gaps = observed.flatMap((requirement) => requirement.gaps);
  const otherwise = gaps.filter(({ asReference }) => !asReference).length;
  const counts = `${counted(gaps.length, 'observation')}: ${gaps.length - otherwise} as the reference CSE, ${otherwise} otherwise. None of them is a failure.`;
  return [
    heading(screen, 'What the specification leaves open'),
    ...wrap(counts, screen.columns, '  '),
    ...observed.flatMap((requirement) => requirementLines(screen, requirement)),
    '',
  ];
}

function requirementLines(screen: Screen, { id, says, gaps }: RequirementResult): string[] {
  const shown = screen.verbose ? gaps : gaps.filter(({ asReference }) => !asReference);
  if (shown.length === 0) return [];
  return [
    `  ${id}`,
    ...dimmed(screen, prose(screen, says, '    ')),
    ...distinct(shown).flatMap(({ text, scenarios }) => [
      ...prose(screen, text, '    · '),
      ...scenarios.map((scenario) => screen.colors.dim(`      ${scenario}`)),
    ]),
  ];
}

/** The same behaviour seen in several scenarios is one fact. */
function distinct(gaps: readonly GapObservation[]): { text: string; scenarios: string[] }[] {
  const facts = new Map<string, string[]>();
  for (const { actual, asReference, scenario } of gaps) {
    const text = asReference ? `${actual} (as the reference CSE)` : actual;
    const known = facts.get(text) ?? [];
    facts.set(text, known.includes(scenario) ? known : [...known, scenario]);
  }
  return [...facts].map(([text, scenarios]) => ({ text, scenarios }));
}
