/** What became of failures as their scenario ran again. */
import type { CheckResult, RunResult, ScenarioResult } from '../../scenarios/index.ts';
import { saidIn } from '../compare/distinct-evidence.ts';
import { type Evidence, evidenceIn } from '../evidence.ts';

export type Outcome = 'FIXED' | 'STILL FAILING' | 'DIFFERENT';

export interface ReplayedCheck {
  readonly outcome: Outcome;
  readonly before: Evidence;
  /** Absent when the check was not reached or is not there any more. */
  readonly now: Evidence | undefined;
}

export interface Replay {
  readonly outcome: Outcome;
  readonly checks: readonly ReplayedCheck[];
  /** Checks that fail now and did not before. */
  readonly fresh: readonly Evidence[];
  readonly before: ScenarioResult;
  readonly now: ScenarioResult;
}

/** Compares failures of one scenario with what its checks saw this time. */
export function replayOf(
  was: { readonly result: RunResult; readonly failures: readonly Evidence[]; readonly scenario: ScenarioResult },
  is: { readonly result: RunResult; readonly scenario: ScenarioResult },
): Replay {
  const current = evidenceIn(is.scenario);
  const checks = was.failures.map((before): ReplayedCheck => {
    const now = current.find((one) => isSame(one, before));
    const isKept = now === undefined && before.check.byRule === true && isAnsweredAgain(before, is.scenario);
    return { before, now, outcome: isKept ? 'FIXED' : outcomeOf(before, now, was.result, is.result) };
  });
  const failing = evidenceIn(was.scenario).filter(({ check }) => check.state === 'failed');
  const fresh = current.filter((one) => isViolation(one.check) && !failing.some((before) => isSame(one, before)));
  return { outcome: overall(checks, fresh), checks, fresh, before: was.scenario, now: is.scenario };
}

/** The same check of the same file; where lines moved, the same position. What rules find is told once, wherever it shows first. */
function isSame(a: Evidence, b: Evidence): boolean {
  const place = ({ check, stepNumber, checkNumber }: Evidence) =>
    check.byRule === true ? 'by rule' : `${stepNumber}.${checkNumber}`;
  return a.check.requirement === b.check.requirement && place(a) === place(b);
}

/** Whether the step that a rule objected to was answered this time too, so that the rule had its say. */
function isAnsweredAgain({ step, stepNumber }: Evidence, { steps }: ScenarioResult): boolean {
  const { exchange } = steps[stepNumber - 1] ?? {};
  return exchange?.answer !== undefined && exchange.request.method === step.exchange?.request.method;
}

function outcomeOf(before: Evidence, now: Evidence | undefined, was: RunResult, is: RunResult): Outcome {
  if (now?.check.state === 'passed') return 'FIXED';
  if (now?.check.state !== 'failed') return 'DIFFERENT';
  return saidIn(was, before) === saidIn(is, now) ? 'STILL FAILING' : 'DIFFERENT';
}

function isViolation({ state, level }: CheckResult): boolean {
  return state === 'failed' && level !== 'gap' && level !== 'advisory';
}

function overall(checks: readonly ReplayedCheck[], fresh: readonly Evidence[]): Outcome {
  const [first, ...others] = new Set(checks.map(({ outcome }) => outcome));
  return first === undefined || others.length > 0 || fresh.length > 0 ? 'DIFFERENT' : first;
}
