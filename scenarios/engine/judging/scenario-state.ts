import { isBinding } from '../files/levels.ts';
import type { LoadedScenario } from '../files/load.ts';
import type { CheckResult, ScenarioResult, ScenarioState, StepResult } from '../results/result.ts';
import { neverArrived, observationOfAnswer } from './answer.ts';
import type { Block } from './check.ts';

/** A failed check that counts. */
export function isViolation(check: CheckResult): boolean {
  return check.state === 'failed' && isBinding(check.level);
}

/** Whether a request of the scenario could not even be sent. */
export function lostTarget(scenario: Pick<ScenarioResult, 'steps'>): boolean {
  return scenario.steps.some(({ exchange }) => exchange !== undefined && neverArrived(exchange));
}

/** Whether nobody answered, or a required answer is missing. */
export function isUnanswered({ asked, problem }: StepResult): boolean {
  return asked !== undefined && asked.answer === undefined && (asked.by === undefined || problem !== undefined);
}

/** The state of a scenario; the first that applies. */
export function stateOf(
  steps: readonly StepResult[],
  { block, fault, interrupted }: { block: Block | undefined; fault: string | undefined; interrupted: boolean },
): Pick<ScenarioResult, 'state' | 'reason'> {
  const checks = steps.flatMap((step) => step.checks);
  const broken =
    checks.filter((check) => check.state === 'fault').map((check) => check.reason ?? 'the engine failed')[0] ?? fault;
  if (interrupted) return { state: 'interrupted', reason: 'the run was interrupted' };
  if (broken !== undefined) return { state: 'fault', reason: broken };
  if (checks.some(isViolation)) return { state: 'failed' };
  const unanswered = steps.find(isUnanswered)?.asked;
  if (unanswered !== undefined) return { state: 'blocked', reason: observationOfAnswer(unanswered).summary };
  const untested = checks.filter((check) => check.state === 'not testable');
  const leftOut = checks.filter((check) => check.state === 'left out');
  const missing = checks.filter((check) => check.state === 'not applicable');
  if (block !== undefined && untested.some((check) => !check.excused))
    return { state: 'blocked', reason: block.reason };
  if (untested.length + leftOut.length + missing.length < checks.length) return { state: 'passed' };
  if (checks.length === 0) return { state: 'not testable', reason: block?.reason ?? 'it has no checks' };
  if (untested.length > 0) return { state: 'not testable', reason: reasonsOf(untested) };
  if (leftOut.length > 0) return { state: 'left out', reason: reasonsOf(leftOut) };
  return { state: 'not applicable', reason: reasonsOf(missing) };
}

function reasonsOf(checks: readonly CheckResult[]): string {
  return [...new Set(checks.map(({ reason = '' }) => reason))].join('; ');
}

/** The result of a scenario that the engine could not finish. */
export function faultOf(scenario: LoadedScenario, error: unknown): ScenarioResult {
  return notRun(scenario, 'fault', `the engine failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** The result of a scenario that did not run or is unknown. */
export function notRun(
  { id, feature, title, tags, place }: LoadedScenario,
  state: ScenarioState,
  reason: string,
  steps: readonly StepResult[] = [],
): ScenarioResult {
  return { id, feature, title, tags, place, state, reason, steps, leftBehind: [], took: 0 };
}

/** Whether a step was refused that, by its own checks, may be: later steps then do not demand it of the target. */
export function mayBeRefused({ exchange, checks }: StepResult): boolean {
  const { status = 0 } = exchange?.answer ?? {};
  return status >= 400 && status < 500 && checks.length > 0 && !checks.some(({ level }) => isBinding(level));
}

/** Scenarios of a locked plan that did not apply or never began, with the reason; those left out as a risk were locked so. */
export function skippedOf(locked: Iterable<string>, scenarios: readonly ScenarioResult[]): string[] {
  const found = new Map(scenarios.map((one) => [one.id, one]));
  return [...locked].flatMap((id) => {
    const { state, reason = 'the run ended before' } = found.get(id) ?? { state: 'not applicable' };
    return state === 'not applicable' ? [`${id} (${reason})`] : [];
  });
}
