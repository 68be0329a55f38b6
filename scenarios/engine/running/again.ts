import { isLost } from '../judging/answer.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../result.ts';
import { isViolation } from './scenario-state.ts';

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

/** Which requirements are certain to be violated: whatever a scenario that failed by them alone came to once more, they stay so. */
export class Confirmed {
  readonly #requirements = new Set<string>();

  note({ again, steps }: ScenarioResult): void {
    if (again !== 'failed') return;
    for (const { requirement, intermittent } of failedIn(steps)) if (!intermittent) this.#requirements.add(requirement);
  }

  /** Whether another run of a failed scenario could change no verdict. */
  says({ state, steps }: ScenarioResult): boolean {
    return state === 'failed' && failedIn(steps).every(({ requirement }) => this.#requirements.has(requirement));
  }
}

function failedIn(steps: readonly StepResult[]): CheckResult[] {
  return steps.flatMap(({ checks }) => checks.filter(isViolation));
}

/** Requests of a run that may go without an answer by accident: what closes a connection or refuses one need not be wrong. */
const mostAccidents = 2;

/** Counts the answers that were lost by accident: the third loss of a run is a finding. */
export class Accidents {
  readonly notes: string[] = [];

  /** Whether all that failed first failed for want of an answer, and nothing is missing now. */
  excuses(first: ScenarioResult, second: ScenarioResult): boolean {
    const failed = first.steps.filter(({ checks }) => checks.some(({ state }) => state === 'failed'));
    const lost = failed.flatMap(({ exchange }) => (exchange && isLost(exchange) ? exchange : []));
    if (second.state !== 'passed' || lost.length === 0 || lost.length < failed.length) return false;
    if (this.notes.length >= mostAccidents) return false;
    const { method, path } = lost[0]?.request ?? {};
    this.notes.push(`no answer came to ${method} ${path} once, and one came when ${first.id} ran again: not judged`);
    return true;
  }
}

/**
 * A failed scenario with what became of it as it ran once more, alone: a check that then passed is intermittent. One that
 * was blocked is what it then came to.
 */
export function withSecondRun(first: ScenarioResult, second: ScenarioResult, accident = false): ScenarioResult {
  const leftBehind = [...first.leftBehind, ...second.leftBehind];
  if (first.state === 'blocked' || accident) return { ...second, leftBehind, again: second.state };
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
