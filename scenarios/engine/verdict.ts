import type { Requirement } from './catalogue.ts';
import { judgeExit } from './exit.ts';
import { isAtHome, isBinding, levelIn } from './levels.ts';
import type { Plan } from './plan.ts';
import { requirementsOf } from './plan.ts';
import type {
  BaselineOutcome,
  CheckLevel,
  CheckReference,
  CheckResult,
  CheckState,
  GapObservation,
  RequirementResult,
  RunResult,
  RunSummary,
  ScenarioResult,
  ScenarioState,
  Strictness,
  Verdict,
} from './result.ts';

/** Why a run ended before its plan. */
export interface Stop {
  readonly kind: 'unreachable' | 'interrupted' | 'enough';
  readonly reason: string;
}

interface Seen {
  readonly check: CheckResult;
  readonly at: CheckReference;
}

/** What a run is judged by, unless its user says otherwise. */
export const usualStrictness: Strictness = {
  level: 'documented',
  failOn: ['violations', 'intermittent'],
  minEvidence: 1,
};

/** What a verdict depends on, beside the scenarios that were run. */
export interface Judging {
  readonly stop?: Stop | undefined;
  readonly strictness?: Strictness;
  readonly baseline?: BaselineOutcome | undefined;
}

/** Verdicts on every requirement of the catalogue, the summary, and the exit code. */
export function judgeRun(
  plan: Plan,
  scenarios: readonly ScenarioResult[],
  { stop, strictness = usualStrictness, baseline }: Judging = {},
): Pick<RunResult, 'requirements' | 'summary' | 'exit'> {
  const seen = collect(scenarios);
  const planned = new Set(plan.scenarios.flatMap(requirementsOf));
  const told = [...plan.catalogue.requirements.values()].filter(
    (requirement) => isAtHome(requirement, plan.dialect) || planned.has(requirement.id),
  );
  const requirements = told.map((requirement) =>
    judge(requirement, seen.get(requirement.id) ?? [], {
      selected: plan.requirements.has(requirement.id),
      selective: plan.selective,
      planned: planned.has(requirement.id),
      level: levelIn(plan.dialect, requirement),
      stop,
    }),
  );
  const exit = judgeExit({ plan, scenarios, requirements, stop, strictness, baseline });
  return { requirements, summary: summarise(requirements, scenarios), exit };
}

function collect(scenarios: readonly ScenarioResult[]): Map<string, Seen[]> {
  const seen = new Map<string, Seen[]>();
  for (const { id, steps } of scenarios) {
    steps.forEach(({ checks }, step) => {
      checks.forEach((result, check) => {
        const list = seen.get(result.requirement) ?? [];
        list.push({ check: result, at: { scenario: id, step, check } });
        seen.set(result.requirement, list);
      });
    });
  }
  return seen;
}

interface Circumstances {
  readonly selected: boolean;
  readonly selective: boolean;
  readonly planned: boolean;
  readonly level: CheckLevel;
  readonly stop: Stop | undefined;
}

function judge(requirement: Requirement, seen: readonly Seen[], circumstances: Circumstances): RequirementResult {
  const { id, level, section, source, says } = requirement;
  const failed = seen.filter(({ check }) => check.state === 'failed');
  const gaps = level === 'gap' ? seen.flatMap(observation) : [];
  return {
    id,
    level,
    section,
    source,
    says,
    ...(requirement.answers && { answers: requirement.answers }),
    ...verdictOn(requirement, seen, circumstances),
    observations: seen.filter(({ check }) => check.state === 'passed').length,
    violations: level === 'gap' ? [] : failed.map(({ at }) => at),
    ...(isKnown(failed, level) && { known: true }),
    gaps,
  };
}

function isKnown(failed: readonly Seen[], level: Requirement['level']): boolean {
  return level !== 'gap' && failed.length > 0 && failed.every(({ check }) => check.known !== undefined);
}

function verdictOn(
  requirement: Requirement,
  seen: readonly Seen[],
  circumstances: Circumstances,
): { verdict: Verdict; reason?: string } {
  const { level } = circumstances;
  const has = (state: CheckState) => seen.some(({ check }) => check.state === state);
  const reasons = (state: CheckState) => distinct(seen.filter(({ check }) => check.state === state));
  if (!circumstances.selected) return { verdict: 'excluded', reason: 'not selected' };
  if (has('failed') && isBinding(level)) return { verdict: lasts(seen) ? 'violated' : 'intermittent' };
  if (has('fault')) return { verdict: 'harness fault', reason: reasons('fault') };
  if (has('failed') && level === 'advisory') return { verdict: 'advisory' };
  if (level === 'gap' && (has('passed') || has('failed'))) return { verdict: 'observed' };
  if (has('passed')) return { verdict: 'satisfied' };
  if (has('not testable')) return { verdict: 'not testable', reason: reasons('not testable') };
  if (seen.length > 0) return { verdict: 'not applicable', reason: reasons('not applicable') };
  return unseen(requirement, circumstances);
}

/** Whether a check failed that did not pass once more alone. */
function lasts(seen: readonly Seen[]): boolean {
  return seen.some(({ check }) => check.state === 'failed' && check.intermittent !== true);
}

function unseen(requirement: Requirement, { planned, stop }: Circumstances): { verdict: Verdict; reason: string } {
  if (requirement.untestable !== undefined) return { verdict: 'not testable', reason: requirement.untestable };
  if (planned && stop !== undefined) return { verdict: 'excluded', reason: stop.reason };
  return { verdict: 'not testable', reason: 'no scenario checks it' };
}

/** The distinct reasons, without the words that say that they come from an earlier step. */
function distinct(seen: readonly Seen[]): string {
  return [...new Set(seen.map(({ check }) => check.reason ?? ''))].join('; ');
}

function observation({ check, at }: Seen): GapObservation[] {
  if (check.state !== 'passed' && check.state !== 'failed') return [];
  const actual = check.actual.replace(/^status /, '');
  const variant = check.variant === undefined ? {} : { variant: check.variant };
  return [{ ...at, actual, asReference: check.state === 'passed', ...variant }];
}

function summarise(requirements: readonly RequirementResult[], scenarios: readonly ScenarioResult[]): RunSummary {
  const steps = scenarios.flatMap((scenario) => scenario.steps);
  const checks = steps.flatMap((step) => step.checks).filter((check) => isBinding(check.level));
  return {
    verdicts: count<Verdict>(
      requirements.map((one) => one.verdict),
      [
        'violated',
        'intermittent',
        'advisory',
        'satisfied',
        'observed',
        'not testable',
        'not applicable',
        'excluded',
        'harness fault',
      ],
    ),
    checks: count<CheckState>(
      checks.map((check) => check.state),
      ['passed', 'failed', 'not testable', 'not applicable', 'fault'],
    ),
    scenarios: count<ScenarioState>(
      scenarios.map((one) => one.state),
      ['passed', 'failed', 'blocked', 'not testable', 'not applicable', 'fault', 'interrupted'],
    ),
    requests: steps.filter((step) => step.exchange !== undefined).length,
  };
}

function count<K extends string>(values: readonly K[], keys: readonly K[]): Record<K, number> {
  const entries = keys.map((key) => [key, values.filter((value) => value === key).length]);
  return Object.fromEntries(entries) as Record<K, number>;
}
