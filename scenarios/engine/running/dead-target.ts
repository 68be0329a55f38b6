import type { LoadedScenario } from '../files/load.ts';
import type { CheckResult, LostRequest, ScenarioResult, StepResult } from '../result.ts';
import { isCutShort, isSuspicious, isUnavailable } from '../targets/liveness.ts';
import { isViolation } from './scenario-state.ts';

/** A scenario with what came of it, and its number in the plan; the first is 1. */
export interface Ran {
  readonly scenario: LoadedScenario;
  readonly number: number;
  readonly result: ScenarioResult;
}

/** Why a step is not sent while the target is dead. */
export const notSent = 'the target was dead';

/** Whether something in the scenario may have gone as it did because the target was dead. */
export function isTouched({ steps, leftBehind }: ScenarioResult): boolean {
  const seen = ({ exchange, problem }: StepResult) =>
    problem === notSent || (exchange !== undefined && isSuspicious(exchange));
  return leftBehind.length > 0 || steps.some(seen);
}

/** The request of a scenario that was under way when the target died; undefined where none was. */
export function lostRequestOf({ id, steps }: ScenarioResult): LostRequest | undefined {
  const step = steps.findLastIndex(({ exchange }) => exchange && (isCutShort(exchange) || isUnavailable(exchange)));
  const { request, curl = '' } = steps[step]?.exchange ?? {};
  return request && { method: request.method, path: request.path, scenario: id, step, curl };
}

/** What the target did not answer because it was dead is lost, but for what follows from a request that kills it. */
export function withLost(result: ScenarioResult, reason: string, culprit?: number): ScenarioResult {
  const steps = result.steps.map((step, at) => (at === culprit ? step : lostStep(step, reason, culprit)));
  const failed = steps.some(({ checks }) => checks.some(isViolation));
  return failed ? { ...result, steps, state: 'failed' } : { ...result, steps, state: 'lost', reason };
}

function lostStep(step: StepResult, reason: string, culprit: number | undefined): StepResult {
  const unanswered = step.exchange !== undefined && isSuspicious(step.exchange);
  const isLost = ({ state, excused }: CheckResult) =>
    (state === 'failed' && unanswered && culprit === undefined) || (state === 'not testable' && excused !== true);
  return {
    ...step,
    checks: step.checks.map((check) => (isLost(check) ? { ...check, state: 'lost', reason } : check)),
  };
}

/** A scenario that did not run, as the target was dead. */
export function neverRun({ id, feature, title, tags, place }: LoadedScenario, reason: string): ScenarioResult {
  return { id, feature, title, tags, place, state: 'lost', reason, steps: [], leftBehind: [], took: 0 };
}
