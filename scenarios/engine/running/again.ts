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

/** Requests of a run that may go without an answer by accident: what closes a connection or refuses one need not be wrong. */
const mostAccidents = 2;

/** What scenarios come to that run once more. */
export class SecondRuns {
  /** Answers that were lost by accident, as sentences: the third loss of a run is a finding. */
  readonly accidents: string[] = [];
  /** Requirements that stay violated, whatever a scenario that failed by them alone came to once more. */
  readonly #certain = new Set<string>();

  /** Whether another run of a failed scenario could change no verdict. */
  changeNothing({ state, steps }: ScenarioResult): boolean {
    return state === 'failed' && failedIn(steps).every(({ requirement }) => this.#certain.has(requirement));
  }

  judge(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
    const result = withSecondRun(first, second, this.#excuse(first, second));
    if (result.again !== 'failed') return result;
    for (const { requirement, intermittent } of failedIn(result.steps))
      if (!intermittent) this.#certain.add(requirement);
    return result;
  }

  /** Whether all that failed first failed for want of an answer, and nothing is missing now. */
  #excuse(first: ScenarioResult, second: ScenarioResult): boolean {
    const failed = first.steps.filter(({ checks }) => checks.some(({ state }) => state === 'failed'));
    const lost = failed.flatMap(({ exchange }) => (exchange && isLost(exchange) ? exchange : []));
    if (second.state !== 'passed' || lost.length === 0 || lost.length < failed.length) return false;
    if (this.accidents.length >= mostAccidents) return false;
    const { method, path } = lost[0]?.request ?? {};
    this.accidents.push(
      `no answer came to ${method} ${path} once, and one came when ${first.id} ran again: not judged`,
    );
    return true;
  }
}

function failedIn(steps: readonly StepResult[]): CheckResult[] {
  return steps.flatMap(({ checks }) => checks.filter(isViolation));
}

/**
 * A failed scenario with what became of it as it ran once more, alone: a check that then passed is intermittent, and what a rule
 * found and then did not. One that was blocked is what it then came to.
 */
export function withSecondRun(first: ScenarioResult, second: ScenarioResult, accident = false): ScenarioResult {
  const leftBehind = [...first.leftBehind, ...second.leftBehind];
  if (first.state === 'blocked' || accident) return { ...second, leftBehind, again: second.state };
  const passed = passedRules(first, second);
  const marked = (step: StepResult, again: StepResult | undefined) =>
    step.checks.map((check, at) =>
      check.state === 'failed' && (check.byRule ? passed(check) : again?.checks[at]?.state === 'passed')
        ? { ...check, intermittent: true }
        : check,
    );
  return {
    ...first,
    again: second.state,
    steps: first.steps.map((step, at) => ({ ...step, checks: marked(step, second.steps[at]) })),
    leftBehind,
  };
}

/** A rule tells what fails only, once in a scenario, wherever that is. Where something else fails too, it may have been moot. */
function passedRules(first: ScenarioResult, second: ScenarioResult): (check: CheckResult) => boolean {
  const [before, then] = [first, second].map(({ steps }) => new Set(failedIn(steps).map((one) => one.requirement)));
  const isAlike = [...(then ?? [])].every((one) => before?.has(one));
  const ranThrough = second.state === 'passed' || second.state === 'failed';
  return ({ requirement }) => ranThrough && isAlike && then?.has(requirement) === false;
}
