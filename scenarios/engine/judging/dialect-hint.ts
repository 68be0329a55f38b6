import type { Dialect } from '../grammar/dialects.ts';
import type { ScenarioResult, StepResult } from '../results/result.ts';

/** So many refused creations, and none that was accepted, are no accident. */
const fewest = 5;

/**
 * What to try where a target that is asked in the documented dialect refuses whatever is created: the standard's own binding wants
 * X-M2M-RI, X-M2M-RVI and an originator with each request. Undefined where something was accepted, or too little was refused.
 */
export function dialectHint(dialect: Dialect, scenarios: readonly ScenarioResult[]): string | undefined {
  if (dialect !== 'documented') return undefined;
  const creations = scenarios.flatMap(({ steps }) =>
    steps.filter(({ exchange }) => exchange?.request.method === 'POST'),
  );
  const statusOf = ({ exchange }: StepResult) => exchange?.answer?.status ?? 0;
  if (creations.some((step) => statusOf(step) >= 200 && statusOf(step) < 300)) return undefined;
  // What was to be refused says nothing; what blocks the rest of its scenario was not.
  const refused = creations.filter((step) => step.problem !== undefined && Math.floor(statusOf(step) / 100) === 4);
  if (refused.length < fewest) return undefined;
  return 'every creation was refused, as by a CSE that speaks oneM2M TS-0009 only: try --dialect onem2m';
}
