import { defined } from '../defined.ts';
import { requirementsOf } from '../running/plan.ts';
import { titleOf } from '../running/step-title.ts';
import type { LoadedScenario, LoadedStep } from './load.ts';

export interface ListedStep {
  readonly phase: 'given' | 'step';
  /** With the names as they are written: `create container in ${base}`. */
  readonly title: string;
  readonly note?: string;
  readonly requirements: readonly string[];
}

export interface ListedScenario
  extends Pick<LoadedScenario, 'id' | 'feature' | 'title' | 'tags' | 'place' | 'inapplicable' | 'leftOut'> {
  /** What a target must have for it. */
  readonly needs: readonly string[];
  readonly requirements: readonly string[];
  readonly steps: readonly ListedStep[];
}

/** What a run of these scenarios would do. */
export function describeScenarios(scenarios: readonly LoadedScenario[]): ListedScenario[] {
  return scenarios.map((scenario) => {
    const { id, feature, title, tags, place } = scenario;
    const needs = [...scenario.needs];
    const given = scenario.given.map((step) => describeStep('given', step));
    const steps = [...given, ...scenario.steps.map((step) => describeStep('step', step))];
    const { inapplicable, leftOut } = scenario;
    const requirements = requirementsOf(scenario);
    return { id, feature, title, tags, needs, place, requirements, steps, ...defined({ inapplicable, leftOut }) };
  });
}

function describeStep(phase: ListedStep['phase'], { step, checks }: LoadedStep): ListedStep {
  const requirements = [...new Set(checks.map((check) => check.requirement))];
  return { phase, title: titleOf(step, new Map()), requirements, ...defined({ note: step.note }) };
}
