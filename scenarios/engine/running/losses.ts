import { neverArrived } from '../judging/answer.ts';
import { lostTarget } from '../judging/scenario-state.ts';
import type { Exchange } from '../results/exchange.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../results/result.ts';

/** Scenarios in a row that cannot reach the target before the run gives up. */
const mostUnreached = 3;
/** Scenarios in a row, beyond those that run at the same time, to which the target gives no answer at all. */
const mostSilent = 10;
/** The same at the end of a plan, which may be shorter. */
const mostSilentAtEnd = 3;
/** Requests of a run that may go without an answer in time, each of which costs the whole time limit, and more where only this part of all do. */
const mostTimeouts = 100;
const mostOfAll = 0.05;

/** Decides when a target counts as lost, so that a run against it ends long before every request has waited for nothing. */
export class Losses {
  readonly #mostSilent: number;
  #unreached = 0;
  #silent = 0;
  #timeouts = 0;
  #requests = 0;
  #last = 'nothing came';

  /** `jobs` scenarios run at the same time: one moment in which the target hangs may concern all of them. */
  constructor(jobs: number) {
    this.#mostSilent = mostSilent + jobs;
  }

  /** Takes note of a scenario that is over. Gives the reason to stop, if there is one. */
  note(scenario: ScenarioResult): string | undefined {
    const exchanges = scenario.steps.flatMap(({ exchange }) => exchange ?? []);
    this.#last = exchanges.findLast(isSilence)?.failure?.message ?? this.#last;
    this.#requests += exchanges.length;
    this.#timeouts += exchanges.filter(({ failure }) => failure?.kind === 'timeout').length;
    if (lostTarget(scenario)) this.#unreached += 1;
    else if (scenario.state !== 'not applicable' && scenario.state !== 'left out') this.#unreached = 0;
    if (!exchanges.every(isSilence)) this.#silent = 0;
    // Where no answer is what was to come, silence says nothing.
    else if (exchanges.length > 0 && scenario.state !== 'passed') this.#silent += 1;
    if (this.#unreached >= mostUnreached) return `the target could not be reached any more: ${this.#last}`;
    if (this.#silent >= this.#mostSilent) return this.#silence();
    if (this.#timeouts < Math.max(mostTimeouts, this.#requests * mostOfAll)) return undefined;
    return `the target counts as lost: ${this.#timeouts} of ${this.#requests} requests went without an answer in time`;
  }

  /** Why nothing more is to be asked of the target at the end of the plan, if there is a reason. */
  atEnd(): string | undefined {
    return this.#silent >= mostSilentAtEnd ? this.#silence() : undefined;
  }

  #silence(): string {
    const count = `${this.#silent} scenarios in a row`;
    return `the target counts as lost: it gave no answer in ${count}; the harness sees: ${this.#last}`;
  }
}

function isSilence({ answer }: Exchange): boolean {
  return answer === undefined;
}

/**
 * A failed scenario of a target that was lost before it could run once more: what failed for want of an answer may have
 * failed because of that.
 */
export function withoutUnanswered(scenario: ScenarioResult, reason: string): ScenarioResult {
  const steps = scenario.steps.map((step) => unanswered(step, reason));
  const failed = steps.some(({ checks }) => checks.some(({ state }) => state === 'failed'));
  return failed ? { ...scenario, steps } : { ...scenario, steps, state: 'blocked', reason };
}

function unanswered(step: StepResult, reason: string): StepResult {
  const { exchange } = step;
  if (exchange === undefined || exchange.answer !== undefined || neverArrived(exchange)) return step;
  const open = (check: CheckResult): CheckResult =>
    check.state === 'failed' ? { ...check, state: 'not testable', reason } : check;
  return { ...step, checks: step.checks.map(open) };
}
