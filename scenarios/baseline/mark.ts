import { lazy } from '../engine/basics/memoize.ts';
import { type LoadedScenario, loadScenarios } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import type { CheckResult, KnownDeviation, ScenarioResult } from '../engine/results/result.ts';
import type { BaselineOutcome, BaselineProblem } from '../engine/results/run-context.ts';
import type { ExcusedDeviation } from './grammar.ts';
import { type BaselineObservation, type ObservedRun, observe } from './observe.ts';
import { type Baseline, readBaseline } from './read.ts';
import { type Knowledge, knowledgeOf, unknownIn } from './unknown.ts';

interface MarkOptions {
  /** The day of the check in UTC, such as `2027-03-31`. */
  readonly today: string;
  readonly knowledge: Knowledge;
  /** Whether nothing that the baseline can be about was left out. */
  readonly isWhole: boolean;
}

export interface MarkedRun {
  readonly scenarios: readonly ScenarioResult[];
  readonly outcome: BaselineOutcome;
}

/** Marks the failed checks of a run that the baseline knows, and reports invalid entries. */
export function markKnown(baseline: Baseline, run: ObservedRun, options: MarkOptions): MarkedRun {
  const observations = observe(baseline, run, options.isWhole);
  const known = new Map<CheckResult, KnownDeviation>();
  for (const { entry, checks } of observations) for (const { check } of checks) known.set(check, deviationOf(entry));
  const problems = observations.flatMap((one) => problemWith(one, run, baseline, options) ?? []);
  return {
    scenarios: known.size === 0 ? run.scenarios : run.scenarios.map((one) => withKnown(one, known)),
    outcome: { file: baseline.file, known: known.size, problems },
  };
}

export function deviationOf({ reason, ticket, owner, expires }: ExcusedDeviation): KnownDeviation {
  return { ...(reason && { reason }), ...(ticket && { ticket }), ...(owner && { owner }), ...(expires && { expires }) };
}

function withKnown(scenario: ScenarioResult, known: ReadonlyMap<CheckResult, KnownDeviation>): ScenarioResult {
  const marked = (check: CheckResult): CheckResult => {
    const deviation = known.get(check);
    return deviation === undefined ? check : { ...check, known: deviation };
  };
  return { ...scenario, steps: scenario.steps.map((step) => ({ ...step, checks: step.checks.map(marked) })) };
}

function problemWith(
  observation: BaselineObservation,
  run: ObservedRun,
  { file }: Baseline,
  { today, knowledge }: MarkOptions,
): BaselineProblem | undefined {
  const { entry, state, checks } = observation;
  const { scenario, requirement, expires = today, place } = entry;
  const excuse = `the baseline excuses ${requirement} in ${scenario} (${file}:${place.line})`;
  const problem = (kind: BaselineProblem['kind'], why: string): BaselineProblem => {
    return { kind, scenario, requirement, says: `${excuse}, but ${why}` };
  };
  const unknown = unknownIn(entry, knowledge)?.message ?? unknownStep(observation, run);
  if (unknown !== undefined) return problem('unknown', unknown);
  if (state === 'passed' && entry.intermittent !== true)
    return problem('stale', `the check passes now: the entry is stale. \`cselab baseline prune ${file}\` removes it`);
  const isExpired = checks.length > 0 && expires < today;
  return isExpired ? problem('expired', `the entry has expired: it held until ${expires}`) : undefined;
}

/** Only a scenario that sent every step has all step names for a baseline. */
function unknownStep({ entry, present, state }: BaselineObservation, { scenarios }: ObservedRun): string | undefined {
  if (present || state === 'not meant for this target' || entry.step === undefined) return undefined;
  const scenario = scenarios.find(({ id }) => id === entry.scenario);
  const isChecked = scenario?.steps.some(({ checks }) => checks.some((one) => one.requirement === entry.requirement));
  if (scenario === undefined || !wasSent(scenario) || !isChecked) return undefined;
  const which = entry.nth === undefined ? '' : ` for the ${entry.nth}. time`;
  return `no step "${entry.step}" of the scenario checks it${which}`;
}

function wasSent({ state, steps }: ScenarioResult): boolean {
  return (state === 'passed' || state === 'failed') && steps.every(({ problem }) => problem === undefined);
}

export interface BaselineChoice {
  readonly file: string;
  /** The day that decides what has expired, such as `2027-03-31`; today (UTC) when absent. */
  readonly today?: string;
}

/** Marks the results of a run at its end. Throws UsageError and ScenarioFilesError if the file cannot be used. */
export function markerOf(
  { file, today = new Date().toISOString().slice(0, 10) }: BaselineChoice,
  plan: PlannedFrom,
): (scenarios: readonly ScenarioResult[], run: Omit<ObservedRun, 'scenarios'>) => MarkedRun {
  const baseline = readBaseline(file);
  const knowledge = lazy(() => knowledgeOf(allScenarios(baseline, plan), plan.catalogue));
  return (scenarios, run) => {
    const isWhole = isWholeOf(plan, scenarios);
    return markKnown(baseline, { ...run, scenarios }, { today, knowledge: knowledge(), isWhole });
  };
}

type PlannedFrom = Pick<Plan, 'catalogue' | 'scenarios' | 'selective' | 'shard'>;

/** Whether the results are of everything, and none was broken off or left out by choice. */
function isWholeOf(
  { selective, shard, scenarios: planned }: PlannedFrom,
  scenarios: readonly ScenarioResult[],
): boolean {
  const isLeftOut = ({ state, steps }: ScenarioResult) =>
    state === 'interrupted' || steps.some(({ checks }) => checks.some(({ byChoice }) => byChoice));
  return !selective && shard === undefined && scenarios.length === planned.length && !scenarios.some(isLeftOut);
}

/** A baseline may refer to scenarios, and checks, that the run did not select. */
function allScenarios({ entries }: Baseline, { scenarios, selective }: PlannedFrom): readonly LoadedScenario[] {
  const planned = new Set(scenarios.map(({ id }) => id));
  if (!selective && entries.every((entry) => planned.has(entry.scenario))) return scenarios;
  const own = loadScenarios().scenarios;
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...scenarios.filter(({ id }) => !ids.has(id))];
}
