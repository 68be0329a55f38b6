import { neverArrived } from '../judging/answer.ts';
import { lostTarget } from '../judging/scenario-state.ts';
import type { Exchange } from '../results/exchange.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../results/result.ts';

/** Unreached scenarios in a row before the run gives up. */
const mostUnreached = 3;
/** Scenarios in a row, beyond concurrent ones, without any answer. */
const mostSilent = 10;
/** The same at the end of a plan, which may be shorter. */
const mostSilentAtEnd = 3;
/** Timeouts permitted in a run, each of which costs the whole time limit, and more if below this share of all requests. */
const mostTimeouts = 100;
const mostOfAll = 0.05;

/** Decides when a target counts as lost, so that a run ends long before every request has timed out. */
export class Losses {
  readonly #mostSilent: number;
  #unreached = 0;
  #silent = 0;
  #timeouts = 0;
  #requests = 0;
  #last = 'nothing came';

  /** `jobs` scenarios run concurrently: one hang of the target may concern all of them. */
  constructor(jobs: number) {
    this.#mostSilent = mostSilent + jobs;
  }

  /** Records a finished scenario. Returns the reason to stop, if any. */
  note(scenario: ScenarioResult): string | undefined {
    const exchanges = scenario.steps.flatMap(({ exchange }) => exchange ?? []);
    this.#last = exchanges.findLast(isSilence)?.failure?.message ?? this.#last;
    this.#requests += exchanges.length;
    this.#timeouts += exchanges.filter(({ failure }) => failure?.kind === 'timeout').length;
    if (lostTarget(scenario)) this.#unreached += 1;
    else if (scenario.state !== 'not applicable' && scenario.state !== 'left out') this.#unreached = 0;
    if (!exchanges.every(isSilence)) this.#silent = 0;
    // Silence says nothing where no answer was expected.
    else if (exchanges.length > 0 && scenario.state !== 'passed') this.#silent += 1;
    if (this.#unreached >= mostUnreached) return `the target could not be reached any more: ${this.#last}`;
    if (this.#silent >= this.#mostSilent) return this.#silence();
    if (this.#timeouts < Math.max(mostTimeouts, this.#requests * mostOfAll)) return undefined;
    return `the target counts as lost: ${this.#timeouts} of ${this.#requests} requests went without an answer in time`;
  }

  /** Why no more requests are to be sent at the end of the plan, if any. */
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
 * A failed scenario of a target that was lost before its second run: checks without an answer may have failed because of
 * that.
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
