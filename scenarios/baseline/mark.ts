import type {
  BaselineOutcome,
  BaselineProblem,
  CheckResult,
  KnownDeviation,
  ScenarioResult,
} from '../engine/result.ts';
import type { Deviation } from './grammar.ts';
import { type Observation, type Observed, observe } from './observe.ts';
import type { Baseline, Entry } from './read.ts';
import { type Knowledge, unknownIn } from './unknown.ts';

export interface MarkOptions {
  /** The day on which it is judged, such as `2027-03-31`, in UTC. */
  readonly today: string;
  readonly knowledge: Knowledge;
}

export interface Marked {
  readonly scenarios: readonly ScenarioResult[];
  readonly outcome: BaselineOutcome;
}

/** Fills in which failed checks of a run the baseline knows, and tells which of its entries cannot stand. */
export function markKnown(baseline: Baseline, run: Observed, options: MarkOptions): Marked {
  const observations = observe(baseline, run);
  const known = new Map<CheckResult, KnownDeviation>();
  for (const { entry, checks } of observations) for (const { check } of checks) known.set(check, deviationOf(entry));
  const problems = observations.flatMap((one) => problemWith(one, run, baseline, options) ?? []);
  return {
    scenarios: known.size === 0 ? run.scenarios : run.scenarios.map((one) => withKnown(one, known)),
    outcome: { file: baseline.file, known: known.size, problems },
  };
}

export function deviationOf({ reason, ticket, owner, expires }: Deviation): KnownDeviation {
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
  observation: Observation,
  run: Observed,
  { file }: Baseline,
  { today, knowledge }: MarkOptions,
): BaselineProblem | undefined {
  const { entry, state } = observation;
  const { scenario, requirement, expires = today, place } = entry;
  const problem = (kind: BaselineProblem['kind'], why: string): BaselineProblem => ({
    kind,
    scenario,
    requirement,
    says: `the baseline excuses ${requirement} in ${scenario} (${file}:${place.line}), but ${why}`,
  });
  const unknown = unknownIn(entry, knowledge)?.message ?? unknownStep(observation, run);
  if (unknown !== undefined) return problem('unknown', unknown);
  if (state === 'passed' && entry.intermittent !== true) {
    return problem('stale', 'the check passes now: the entry is stale. `cselab baseline prune` removes it');
  }
  if (state === 'used' && expires < today) return problem('expired', `the entry has expired: it held until ${expires}`);
  return undefined;
}

/** Only a scenario of which every step was sent shows all its steps under the names that they have in a baseline. */
function unknownStep({ entry, present, state }: Observation, { scenarios }: Observed): string | undefined {
  if (present || state === 'not meant' || entry.step === undefined) return undefined;
  const scenario = scenarios.find(({ id }) => id === entry.scenario);
  if (scenario === undefined || !wasSent(scenario) || !checks(scenario, entry)) return undefined;
  const which = entry.nth === undefined ? '' : ` for the ${entry.nth}. time`;
  return `no step "${entry.step}" of the scenario checks it${which}`;
}

function wasSent({ state, steps }: ScenarioResult): boolean {
  return (state === 'passed' || state === 'failed') && steps.every(({ problem }) => problem === undefined);
}

function checks({ steps }: ScenarioResult, { requirement }: Entry): boolean {
  return steps.some((step) => step.checks.some((check) => check.requirement === requirement));
}
