import type { CheckResult, ScenarioResult, StepResult } from '../result.ts';

/** Whether a scenario is worth another run, alone: it failed, or what blocked it may have been there for a moment only. */
export function isWorthAnother({ state, reason, steps }: ScenarioResult): boolean {
  if (state === 'failed') return true;
  if (state !== 'blocked') return false;
  return steps.some(({ exchange, problem }) => {
    const { status = 0 } = exchange?.answer ?? {};
    const passing = exchange?.answer === undefined || status === 429 || status >= 500;
    return exchange !== undefined && problem !== undefined && reason?.endsWith(problem) === true && passing;
  });
}

/**
 * A failed scenario with what became of it as it ran once more, alone: a check that then passed is intermittent. One that
 * was blocked is what it then came to.
 */
export function withSecondRun(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  const leftBehind = [...first.leftBehind, ...second.leftBehind];
  if (first.state === 'blocked') return { ...second, leftBehind, again: second.state };
  return {
    ...first,
    again: second.state,
    steps: first.steps.map((step, at) => markedStep(step, second.steps[at])),
    leftBehind,
  };
}

function markedStep(step: StepResult, again: StepResult | undefined): StepResult {
  return { ...step, checks: step.checks.map((check, at) => markedCheck(check, again?.checks[at])) };
}

function markedCheck(check: CheckResult, again: CheckResult | undefined): CheckResult {
  return check.state === 'failed' && again?.state === 'passed' ? { ...check, intermittent: true } : check;
}
