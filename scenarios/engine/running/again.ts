import type { CheckResult, ScenarioResult, StepResult } from '../result.ts';

/** A failed scenario with what became of it as it ran once more, alone: a check that then passed is intermittent. */
export function withSecondRun(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  return {
    ...first,
    again: second.state,
    steps: first.steps.map((step, at) => markedStep(step, second.steps[at])),
    leftBehind: [...first.leftBehind, ...second.leftBehind],
  };
}

function markedStep(step: StepResult, again: StepResult | undefined): StepResult {
  return { ...step, checks: step.checks.map((check, at) => markedCheck(check, again?.checks[at])) };
}

function markedCheck(check: CheckResult, again: CheckResult | undefined): CheckResult {
  return check.state === 'failed' && again?.state === 'passed' ? { ...check, intermittent: true } : check;
}
