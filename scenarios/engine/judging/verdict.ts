import { defined } from '../basics/defined.ts';
import { getOrAdd } from '../basics/memoize.ts';
import { ownValue } from '../basics/own-value.ts';
import type { Requirement } from '../files/catalogue.ts';
import { isBinding, isOfDialect, levelIn } from '../files/levels.ts';
import { type Plan, requirementsOf } from '../files/plan.ts';
import {
  type CheckReference,
  type GapObservation,
  type RequirementResult,
  type Verdict,
  verdicts,
} from '../results/requirement-result.ts';
import {
  type CheckLevel,
  type CheckResult,
  type CheckState,
  checkStates,
  type RunResult,
  type RunSummary,
  type ScenarioResult,
  scenarioStates,
} from '../results/result.ts';
import type { Strictness } from '../results/run-context.ts';
import { type ExitBasis, judgeExit } from './exit.ts';
import { notSelected } from './exit-words.ts';

/** Why a run ended early. */
export interface Stop {
  readonly kind: 'unreachable' | 'misconfigured' | 'interrupted' | 'enough';
  readonly reason: string;
}

interface LocatedCheck {
  readonly check: CheckResult;
  readonly at: CheckReference;
}

/** The default strictness of a run. */
export const usualStrictness: Strictness = {
  level: 'documented',
  failOn: ['violations', 'intermittent'],
  minEvidence: 1,
};

/** What a verdict depends on, beside the scenarios. */
interface VerdictBasis extends Partial<Omit<ExitBasis, 'plan' | 'scenarios' | 'requirements'>> {
  /** The exchanges that rules checked. */
  readonly evidence?: RunResult['evidence'];
}

/** Verdicts on every requirement of the catalogue, the summary, and the exit code. */
export function judgeRun(
  plan: Plan,
  scenarios: readonly ScenarioResult[],
  { stop, baseline, deaths, evidence = {}, strictness = usualStrictness, ...others }: VerdictBasis = {},
): Pick<RunResult, 'requirements' | 'summary' | 'exit'> {
  const planned = new Set(plan.scenarios.flatMap(requirementsOf));
  const listed = [...plan.catalogue.requirements.values()].filter(
    (requirement) => isOfDialect(requirement, plan.dialect) || plan.checked.has(requirement.id),
  );
  const inputs = listed.map((requirement) => {
    const { id } = requirement;
    const exchanges = ownValue(evidence, id)?.exchanges;
    return {
      requirement: requirementFacts(requirement),
      selected: plan.requirements.has(id) || (plan.unfiltered && exchanges !== undefined),
      level: levelIn(plan, requirement),
      fallback: fallbackOf(requirement, planned.has(id), exchanges, { shard: plan.shard, stop, deaths }),
    };
  });
  return judgeRequirements(inputs, scenarios, { ...others, plan, stop, strictness, baseline, deaths });
}

/** A requirement without its results. */
type Facts = Pick<RequirementResult, 'id' | 'level' | 'section' | 'source' | 'says' | 'answers' | 'untestable'>;

export function requirementFacts(one: Requirement | RequirementResult): Facts {
  const { id, level, section, source, says, answers, untestable } = one;
  return { id, level, section, source, says, ...(answers && { answers }), ...(untestable && { untestable: true }) };
}

/** A requirement, and what is known about it before its checks. */
export interface RequirementInput {
  readonly requirement: Facts;
  readonly selected: boolean;
  readonly level: CheckLevel;
  /** Its verdict when none of its checks ran, and the number of exchanges that a rule checked. */
  readonly fallback: { readonly verdict: Verdict; readonly reason?: string; readonly observations?: number };
}

/** Judges by results alone, without scenario files or the catalogue. */
export function judgeRequirements(
  inputs: readonly RequirementInput[],
  scenarios: readonly ScenarioResult[],
  by: Omit<ExitBasis, 'scenarios' | 'requirements'>,
): Pick<RunResult, 'requirements' | 'summary' | 'exit'> {
  const located = collect(scenarios);
  const requirements = inputs.map((one) => judge(one, located.get(one.requirement.id) ?? []));
  const exit = judgeExit({ ...by, scenarios, requirements });
  return { requirements, summary: summarise(requirements, scenarios), exit };
}

function collect(scenarios: readonly ScenarioResult[]): Map<string, LocatedCheck[]> {
  const located = new Map<string, LocatedCheck[]>();
  for (const { id, steps } of scenarios) {
    steps.forEach(({ checks }, step) => {
      checks.forEach((result, check) => {
        getOrAdd(located, result.requirement, () => []).push({ check: result, at: { scenario: id, step, check } });
      });
    });
  }
  return located;
}

function judge(input: RequirementInput, located: readonly LocatedCheck[]): RequirementResult {
  const { untestable, ...requirement } = input.requirement;
  const { level } = requirement;
  const failed = located.filter(({ check }) => check.state === 'failed');
  const gaps = level === 'gap' ? located.flatMap(observation) : [];
  const { observations = 0, ...verdict } = verdictOn(input, located);
  const isKnown = level !== 'gap' && failed.length > 0 && failed.every(({ check }) => check.known !== undefined);
  const denied = verdict.verdict === 'not applicable' && located.some(({ check }) => check.denied);
  return {
    ...requirement,
    ...verdict,
    ...(denied && { denied }),
    observations: located.filter(({ check }) => check.state === 'passed').length || observations,
    violations: level === 'gap' ? [] : failed.map(({ at }) => at),
    ...(isKnown && { known: true }),
    ...(untestable && { untestable }),
    gaps,
  };
}

/** The reason of a requirement that no check or rule applied to. */
export const notAsked = 'no exchange of this run is about it';

/** The reason of a requirement that only other shards check. */
export const inOtherShards = 'checked in other shards only';

type Fallback = RequirementInput['fallback'];

function verdictOn({ level, selected, fallback }: RequirementInput, located: readonly LocatedCheck[]): Fallback {
  const allOf = (state: CheckState) => located.filter(({ check }) => check.state === state);
  const has = (state: CheckState) => allOf(state).length > 0;
  if (!selected) return { verdict: 'excluded', reason: notSelected };
  if (has('failed') && isBinding(level)) {
    // A check that did not pass in the second run, alone.
    const lasts = allOf('failed').some(({ check }) => check.intermittent !== true);
    return { verdict: lasts ? 'violated' : 'intermittent' };
  }
  if (has('fault')) return { verdict: 'harness fault', reason: distinct(allOf('fault')) };
  if (has('failed') && level === 'advisory') return { verdict: 'advisory' };
  if (level === 'gap' && (has('passed') || has('failed'))) return { verdict: 'implementation-defined' };
  if (has('passed')) return { verdict: 'satisfied' };
  const state = (['lost', 'not testable', 'left out', 'not applicable'] as const).find(has);
  if (state === undefined) return fallback;
  const chosen = state === 'not applicable' && located.some(({ check }) => check.byChoice);
  return { verdict: chosen ? 'excluded' : state, reason: distinct(allOf(state)) };
}

/** `exchanges`: the number that a rule checked; undefined for none. */
function fallbackOf(
  { id, untestable }: Requirement,
  planned: boolean,
  exchanges: number | undefined,
  { shard, stop, deaths = [] }: Pick<VerdictBasis, 'stop' | 'deaths'> & { readonly shard: Plan['shard'] },
): Fallback {
  if (untestable !== undefined) return { verdict: 'not testable', reason: untestable };
  const lost = stop?.kind === 'unreachable' && deaths.length > 0;
  if (planned && stop !== undefined) return { verdict: lost ? 'lost' : 'excluded', reason: stop.reason };
  if (!planned && exchanges !== undefined) return { verdict: 'satisfied', observations: exchanges };
  if (!planned && shard?.elsewhere.has(id)) return { verdict: 'excluded', reason: inOtherShards };
  return { verdict: 'not asked', reason: notAsked };
}

/** The distinct reasons, without the words that say that they come from an earlier step. */
function distinct(located: readonly LocatedCheck[]): string {
  return [...new Set(located.map(({ check }) => check.reason ?? ''))].join('; ');
}

function observation({ check, at }: LocatedCheck): GapObservation[] {
  if (check.state !== 'passed' && check.state !== 'failed') return [];
  const actual = check.actual.replace(/^status /, '');
  // Unless recorded, the reference CSE does whatever is the only permitted outcome.
  const { variant, asReference = check.state === 'passed' && check.expected.length === 1 } = check;
  return [{ ...at, actual, asReference, ...defined({ variant }) }];
}

function summarise(requirements: readonly RequirementResult[], scenarios: readonly ScenarioResult[]): RunSummary {
  const steps = scenarios.flatMap((scenario) => scenario.steps);
  const checks = steps.flatMap((step) => step.checks).filter((check) => isBinding(check.level));
  return {
    verdicts: count(requirements, ({ verdict }) => verdict, verdicts),
    checks: count(checks, ({ state }) => state, checkStates),
    scenarios: count(scenarios, ({ state }) => state, scenarioStates),
    requests: steps.filter((step) => step.exchange !== undefined).length,
  };
}

function count<One, Key extends string>(
  all: readonly One[],
  keyOf: (one: One) => Key,
  keys: readonly Key[],
): Record<Key, number> {
  const entries = keys.map((key) => [key, all.filter((one) => keyOf(one) === key).length]);
  return Object.fromEntries(entries) as Record<Key, number>;
}
