/** Checks a run again from its messages alone: the checks of scenarios, and every rule at every exchange. */
import type { Plan } from '../engine/files/plan.ts';
import { type Entry, entriesOf } from '../engine/files/scenario-entries.ts';
import { type AnswerObservation, observationOf, observationOfAnswer, viewOfRequest } from '../engine/judging/answer.ts';
import type { CheckResult, RunResult, ScenarioResult, StepResult } from '../engine/results/result.ts';
import { StepResults } from '../engine/running/scenario/step-results.ts';
import { judgeReport } from './judge-traffic.ts';
import { isCut } from './recorded.ts';

interface RejudgedRun {
  readonly result: RunResult;
  /** Checks of scenarios that were repeated. */
  readonly again: number;
  /** Checks that stay as they were, since their messages are incomplete. */
  readonly kept: number;
}

/** Scenarios that are not in the plan stay as they were. The report has the values of names. */
export function judgeMessages(report: RunResult, { scenarios: all, dialect }: Plan): RejudgedRun {
  const byId = new Map(all.map((one) => [one.id, one]));
  const counts = { again: 0, kept: 0 };
  const scenarios = report.scenarios.map((scenario) => {
    const loaded = byId.get(scenario.id);
    const entries = loaded === undefined ? [] : entriesOf(loaded, dialect);
    return rejudgeScenario(scenario, entries, counts);
  });
  return { result: judgeReport({ ...report, scenarios }), ...counts };
}

type Counts = { -readonly [Name in 'again' | 'kept']: RejudgedRun[Name] };

function rejudgeScenario(scenario: ScenarioResult, entries: readonly Entry[], counts: Counts): ScenarioResult {
  const names = new Map((scenario.names ?? []).map(([name, value]) => [name, { value }]));
  const results = new StepResults(names, () => 'documented');
  const steps = scenario.steps.map((step, at) => {
    const own = step.checks.filter((one) => isRejudged(one, step));
    const entry = entries[at];
    const seen = observationIn(step);
    if (own.length === 0) return step;
    const isWhole = entry !== undefined && entry.checks.length > 0 && seen !== undefined;
    counts[isWhole ? 'again' : 'kept'] += own.length;
    return isWhole ? { ...step, checks: renewed(step, results.judge(entry, seen)) } : step;
  });
  return { ...scenario, steps };
}

/** Whether to repeat a check: not those of rules, nor of steps with a problem. */
function isRejudged({ state, byRule }: CheckResult, { problem }: StepResult): boolean {
  if (byRule === true) return false;
  return state === 'passed' || state === 'failed' || (state === 'not testable' && problem === undefined);
}

/** Undefined for notifications, of which a report keeps a part. */
function observationIn({ exchange, received, asked }: StepResult): AnswerObservation | undefined {
  if (asked !== undefined) return observationOfAnswer(asked);
  if (exchange !== undefined) return isCut(exchange) ? undefined : observationOf(exchange);
  if (received === undefined) return undefined;
  return { view: viewOfRequest(received), summary: `${received.method} ${received.path}`, success: true };
}

/** Matches checks in order: a run may omit requirements, but never some of their checks. */
function renewed(step: StepResult, checks: readonly CheckResult[]): CheckResult[] {
  const left = [...checks];
  return step.checks.map((was) => {
    const at = left.findIndex(({ requirement }) => requirement === was.requirement);
    const [now] = at < 0 || was.byRule === true ? [] : left.splice(at, 1);
    if (now === undefined || !isRejudged(was, step) || now.state === was.state) return was;
    const { intermittent: _, known: _known, ...rest } = was;
    return { ...rest, state: now.state, actual: now.actual };
  });
}
