import { type Normalise, normaliserOf } from '../../baseline/normalise.ts';
import { getOrAdd } from '../../engine/basics/memoize.ts';
import type { CheckReference, RequirementResult } from '../../engine/results/requirement-result.ts';
import type { CheckResult, RunResult, StepResult } from '../../engine/results/result.ts';
import { mayRefuse, refusalIn, signsOf } from './signs.ts';

/** A violated requirement, summarised so that its failures can be compared with those of others. */
export interface BrokenRequirement {
  readonly id: string;
  /** First failing step by scenario id. */
  readonly scenarios: ReadonlyMap<string, number>;
  readonly exchanges: ReadonlySet<string>;
  /** Signs that at least half of its scenarios show; requirements with the same cause share some. */
  readonly signs: readonly string[];
  /** Whether only rules found it, and no check of a scenario. */
  readonly byRule: boolean;
  /** Whether it also fails with structured addresses, so that the form of the address is not to blame. */
  readonly isPlain: boolean;
  /** The refused request and its code; absent where failures differ in that. */
  readonly refusal: string | undefined;
  /** Whether the operation itself is refused, by the last word of the requirement's id. */
  readonly isOperation: boolean;
  /** Whether a refusal with another code would satisfy it. */
  readonly mayRefuse: boolean;
  readonly failures: number;
  /** The failure with the fewest preceding steps. */
  readonly example: CheckReference;
  /** Position of its first failure in the run. */
  readonly first: number;
}

interface Failure {
  readonly at: CheckReference;
  readonly step: StepResult;
  readonly check: CheckResult;
  readonly normalise: Normalise;
  readonly rank: number;
}

/** In the given order; failures known to the baseline count only where all of a requirement are known. */
export function brokenRequirements(
  requirements: readonly RequirementResult[],
  { scenarios, run, target }: Pick<RunResult, 'scenarios' | 'run' | 'target'>,
): BrokenRequirement[] {
  const byId = new Map(scenarios.map((scenario, rank) => [scenario.id, { scenario, rank }]));
  const normalisers = new Map<string, Normalise>();
  return requirements.flatMap((requirement) => {
    const all = requirement.violations.flatMap((at) => failureAt(at) ?? []);
    const unknown = all.filter(({ check }) => check.known === undefined);
    const own = unknown.length > 0 ? unknown : all;
    return own.length === 0 ? [] : brokenRequirement(requirement, own);
  });

  function failureAt(at: CheckReference): Failure | undefined {
    const { scenario, rank = 0 } = byId.get(at.scenario) ?? {};
    const step = scenario?.steps[at.step];
    const check = step?.checks[at.check];
    if (scenario === undefined || step === undefined || check === undefined) return undefined;
    const normalise = getOrAdd(normalisers, scenario.id, () => normaliserOf({ run, target }, scenario));
    return { at, step, check, normalise, rank: rank * mostSteps + at.step };
  }
}

/** No scenario has as many. */
const mostSteps = 100_000;

function brokenRequirement({ id, section }: RequirementResult, failures: readonly Failure[]): BrokenRequirement {
  const bySteps = failures.toSorted((a, b) => a.at.step - b.at.step || a.rank - b.rank);
  const scenarios = new Map(bySteps.toReversed().map(({ at }) => [at.scenario, at.step]));
  const areRefusals = failures.every(({ step }) => refusalIn(step) !== undefined);
  return {
    id,
    scenarios,
    exchanges: new Set(failures.map(({ at }) => `${at.scenario} ${at.step}`)),
    signs: commonSigns(failures, section, id, scenarios.size / 2),
    byRule: failures.every(({ check }) => check.byRule),
    isPlain: failures.some(({ step }) => step.exchange === undefined || isByNames(step.exchange.request.path)),
    refusal: refusalOf(failures),
    isOperation: areRefusals && /\.(create|retrieve|update|delete)$/.test(id),
    mayRefuse: areRefusals && failures.every(({ check }) => mayRefuse(check)),
    failures: failures.length,
    example: (bySteps[0] as Failure).at,
    first: Math.min(...failures.map(({ rank }) => rank)),
  };
}

/** Signs that at least this many scenarios show. */
function commonSigns(all: readonly Failure[], section: string, requirement: string, least: number): string[] {
  const bySign = new Map<string, Set<string>>();
  for (const one of all)
    for (const sign of signsOf({ ...one, section, requirement }))
      getOrAdd(bySign, sign, () => new Set()).add(one.at.scenario);
  return [...bySign].filter(([, example]) => example.size >= least).map(([sign]) => sign);
}

/** No `~` or `_`, which precede a CSE-ID, and no virtual resource at the end (TS-0009 6.2.3, TS-0001 9.6.27). */
function isByNames(path: string): boolean {
  return !/^\/[~_]\/|\/(?:la|ol|latest|oldest)\/?(?:\?|$)/.test(path);
}

function refusalOf(failures: readonly Failure[]): string | undefined {
  const [one, ...others] = new Set(failures.map(({ step }) => refusalIn(step)));
  return others.length === 0 ? one : undefined;
}
