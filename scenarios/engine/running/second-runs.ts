import { isLost, neverArrived } from '../judging/answer.ts';
import { isViolation } from '../judging/scenario-state.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../results/result.ts';
import { wasUnderWay } from '../targets/liveness.ts';
import { droppedIn, withLost } from './recovery.ts';

/** Whether a scenario is worth another run, alone: it failed, a request was not answered, or the cause of the block may have been temporary. */
export function deservesSecondRun(result: ScenarioResult): boolean {
  const { state, reason, steps } = result;
  // Nobody is asked twice.
  if (steps.some(({ asked }) => asked !== undefined)) return false;
  if (state === 'failed' || (state !== 'lost' && droppedIn(result).length > 0)) return true;
  if (state !== 'blocked') return false;
  return steps.some(({ exchange, problem }) => {
    const { status = 0 } = exchange?.answer ?? {};
    const passing = exchange?.answer === undefined || status === 429 || status >= 500;
    return exchange !== undefined && problem !== undefined && reason?.endsWith(problem) === true && passing;
  });
}

/** The steps of a scenario that were sent but not answered. */
export function lostIn({ steps }: ScenarioResult): StepResult[] {
  return steps.filter(({ exchange }) => exchange !== undefined && wasUnderWay(exchange));
}

/** Whether a missing answer made a check fail or blocked the scenario. */
export function lacksAnswer(result: ScenarioResult): boolean {
  const ends = ({ problem }: StepResult) => problem !== undefined && result.reason?.endsWith(problem) === true;
  return lostIn(result).some((step) => step.checks.some(isViolation) || (result.state === 'blocked' && ends(step)));
}

/** Requests of a run that may stay unanswered by accident: a closed or refused connection need not be a deviation. */
const mostAccidents = 2;
/** If a target dies: tries of an unanswered request, and failures after which it is a finding. */
const amidDeaths = { most: 4, enough: 3 };

/** The results of scenarios that run again. */
export class SecondRuns {
  readonly #deaths: () => number;
  /** Accidentally lost answers, as sentences: the third loss of a run is a finding, unless the target dies. */
  readonly accidents: string[] = [];
  /** Requirements that stay violated: scenarios that fail by them alone need no second run. */
  readonly #certain = new Set<string>();

  /** `deaths`: how often the target has died so far. */
  constructor(deaths: () => number) {
    this.#deaths = deaths;
  }

  /** Further runs that a scenario may have. */
  get most(): number {
    return this.#deaths() > 0 ? amidDeaths.most : 1;
  }

  /** Whether another run of a scenario could not change a verdict. */
  areEnough(runs: readonly ScenarioResult[]): boolean {
    const whole = runs.filter((one) => !lacksAnswer(one));
    if (whole.length > 1 || runs.some(({ again }) => again !== undefined)) return true;
    if (runs.length > 1) return whole.some(({ state }) => state !== 'failed');
    return runs.every((one) => this.#isClear(one));
  }

  #isClear(run: ScenarioResult): boolean {
    const isCertain = ({ requirement }: CheckResult) => this.#certain.has(requirement);
    return run.state === 'failed' && droppedIn(run).length === 0 && failedIn(run.steps).every(isCertain);
  }

  judge(first: ScenarioResult, others: readonly ScenarioResult[]): ScenarioResult {
    const result = this.#combine(first, others);
    if (result.again !== 'failed') return result;
    for (const { requirement, intermittent } of failedIn(result.steps))
      if (!intermittent) this.#certain.add(requirement);
    return result;
  }

  #combine(first: ScenarioResult, others: readonly ScenarioResult[]): ScenarioResult {
    const [second] = others;
    const runs = [first, ...others];
    if (this.#deaths() > 0 && runs.some(lacksAnswer))
      return { ...this.#amidDeaths(first, others), leftBehind: runs.flatMap(({ leftBehind }) => leftBehind) };
    if (second === undefined) return first;
    const isWorse = first.state === 'passed' && second.state === 'failed';
    return isWorse ? withSecondRun(second, first) : withSecondRun(first, second, this.#excuse(first, second));
  }

  /** If a target dies, a missing answer alone is no finding: answers count, and requests that are never answered. */
  #amidDeaths(first: ScenarioResult, others: readonly ScenarioResult[]): ScenarioResult {
    const [one, another = others.find((other) => other !== one)] = [first, ...others].filter(
      (run) => !lacksAnswer(run),
    );
    if (one === first) return another === undefined ? first : withSecondRun(first, another);
    const reason = 'no answer came, in a run in which the target died';
    const open = withLost(first, reason, (step) => one === undefined && isNeverAnswered(step, others));
    if (one === undefined) return { ...open, again: others.at(-1)?.state ?? 'lost' };
    const then = new Set(failedIn(one.steps).map(({ requirement }) => requirement));
    // Findings from earlier answers still hold.
    if (failedIn(open.steps).some(({ requirement }) => !then.has(requirement))) return withSecondRun(open, one);
    return another === undefined || one.state !== 'failed' ? { ...one, again: one.state } : withSecondRun(one, another);
  }

  /** Whether all first failures were missing answers, and the second run has passed. */
  #excuse(first: ScenarioResult, second: ScenarioResult): boolean {
    const failed = first.steps.filter(({ checks }) => checks.some(({ state }) => state === 'failed'));
    const lost = failed.flatMap(({ exchange }) => (exchange && isLost(exchange) ? exchange : []));
    if (second.state !== 'passed' || lost.length === 0 || lost.length < failed.length) return false;
    if (this.accidents.length >= mostAccidents) return false;
    const { method, path } = lost[0]?.request ?? {};
    this.accidents.push(
      `no answer came to ${method} ${path} once, and one came when ${first.id} ran again: not counted`,
    );
    return true;
  }
}

/** Whether a request is never answered, in any run of its scenario alone with a living target. */
function isNeverAnswered(step: number, others: readonly ScenarioResult[]): boolean {
  const attempts = others.flatMap(({ steps }) => steps[step]?.exchange ?? []).filter((one) => !neverArrived(one));
  return attempts.length >= amidDeaths.enough && attempts.every(wasUnderWay);
}

function failedIn(steps: readonly StepResult[]): CheckResult[] {
  return steps.flatMap(({ checks }) => checks.filter(isViolation));
}

/**
 * Combines a failed scenario with its second run, alone: a check that then passed is intermittent, and so is a violation of a rule
 * that did not recur, unless it came beside the answer: the other exchange that it may belong to need not recur. A blocked scenario
 * has the result of its second run.
 */
export function withSecondRun(first: ScenarioResult, second: ScenarioResult, accident = false): ScenarioResult {
  const leftBehind = [...first.leftBehind, ...second.leftBehind];
  if (first.state === 'blocked' || accident) return { ...second, leftBehind, again: second.state };
  const passed = passedRules(first, second);
  const marked = (step: StepResult, again: StepResult | undefined) =>
    step.checks.map((check, at) =>
      check.state === 'failed' &&
      (check.byRule ? !check.beside && passed(check) : again?.checks[at]?.state === 'passed')
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

/** A rule reports failures only, once in a scenario, at any step. Where something else fails too, it may have been moot. */
function passedRules(first: ScenarioResult, second: ScenarioResult): (check: CheckResult) => boolean {
  const [before, then] = [first, second].map(({ steps }) => new Set(failedIn(steps).map((one) => one.requirement)));
  const isAlike = [...(then ?? [])].every((one) => before?.has(one));
  const ranThrough = second.state === 'passed' || second.state === 'failed';
  return ({ requirement }) => ranThrough && isAlike && then?.has(requirement) === false;
}
