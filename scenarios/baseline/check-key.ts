import type { CheckResult, ScenarioResult, StepResult } from '../engine/result.ts';
import { type Normalise, normaliserOf, type RunFacts } from './normalise.ts';

/** One check of a run, under the name by which a baseline speaks of it. */
export interface NamedCheck {
  readonly scenario: ScenarioResult;
  readonly stepResult: StepResult;
  readonly check: CheckResult;
  /** The note of the step or its title, which stay when steps are added before it. */
  readonly step: string;
  /** Which of several checks of the requirement at steps of this name, from 1. */
  readonly nth: number;
  readonly normalise: Normalise;
}

/** In a baseline: whichever scenario a rule finds it in. */
export const anywhere = '*';

/** The checks of a scenario, in order. */
export function namedChecks(scenario: ScenarioResult, facts: RunFacts): NamedCheck[] {
  const normalise = normaliserOf(facts, scenario);
  const seen = new Map<string, number>();
  return scenario.steps.flatMap((stepResult) => {
    const step = stepResult.note ?? normalise(stepResult.title);
    return stepResult.checks.map((check) => {
      const key = `${check.requirement}\n${step}`;
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      return { scenario, stepResult, check, step, nth, normalise };
    });
  });
}
