import type { Control } from '../grammar/grammar-check.ts';
import type { Names } from '../messages/interpolate.ts';
import type { Observation } from './answer.ts';
import { judgeExpectation } from './expectation.ts';

/** A step that was done, and what came of it. */
interface Done {
  readonly title: string;
  readonly seen: Observation;
  readonly names: Names;
}

/** Why what follows a step cannot be judged: what it takes for granted does not hold, which another requirement states. */
export function unmetControl(control: Control, { title, seen, names }: Done): string | undefined {
  for (const [requirement, expectation] of Object.entries(control)) {
    const parts = judgeExpectation(expectation, seen.view, names, seen.nothing);
    const unmet = parts.filter(({ outcome }) => outcome !== 'passed').map(({ actual }) => actual);
    if (unmet.length > 0) return `${requirement} does not hold: ${title}: ${[...new Set(unmet)].join('; ')}`;
  }
  return undefined;
}
