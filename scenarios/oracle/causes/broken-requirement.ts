import { type Normalise, normaliserOf } from '../../baseline/normalise.ts';
import { getOrAdd } from '../../engine/basics/memoize.ts';
import type { CheckReference, RequirementResult } from '../../engine/results/requirement-result.ts';
import type { CheckResult, RunResult, StepResult } from '../../engine/results/result.ts';
import { mayRefuse, refusalIn, signsOf } from './signs.ts';

/** A requirement that is not kept, as its failures are compared with those of others. */
export interface BrokenRequirement {
  readonly id: string;
  /** The scenarios that show it, by id, each with the first step that does. */
  readonly scenarios: ReadonlyMap<string, number>;
  /** The steps that show it. */
  readonly exchanges: ReadonlySet<string>;
  /** What it has in common with another one that has the same cause: what at least half of its scenarios show. */
  readonly signs: readonly string[];
  /** Whether no check of a scenario looks at it, but a rule that holds for every exchange. */
  readonly byRule: boolean;
  /** Whether some of it is addressed by names alone, so that it is not the form of the address that fails. */
  readonly isPlain: boolean;
  /** What is refused, and by which code, wherever it is broken; absent where that differs. */
  readonly refusal: string | undefined;
  /** Whether it is the operation itself that is refused, by the last word of its id. */
  readonly isOperation: boolean;
  /** Whether a refusal by another code would keep it. */
  readonly mayRefuse: boolean;
  readonly failures: number;
  /** The failure that the fewest steps lead to. */
  readonly example: CheckReference;
  /** Rank of its first failure in the order of the run. */
  readonly first: number;
}

interface Failure {
  readonly at: CheckReference;
  readonly step: StepResult;
  readonly check: CheckResult;
  readonly normalise: Normalise;
  readonly rank: number;
}

/** In the order given; what a baseline knows of them only where it knows everything. */
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
    signs: commonSigns(failures, { section, requirement: id }, scenarios.size / 2),
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

/** Those that at least so many scenarios show. */
function commonSigns(
  failures: readonly Failure[],
  about: { readonly section: string; readonly requirement: string },
  least: number,
): string[] {
  const bySign = new Map<string, Set<string>>();
  for (const one of failures)
    for (const sign of signsOf({ ...one, ...about })) getOrAdd(bySign, sign, () => new Set()).add(one.at.scenario);
  return [...bySign].filter(([, example]) => example.size >= least).map(([sign]) => sign);
}

/** `~` and `_` lead to a CSE by its identifier; the last name may stand for what is there (TS-0009 6.2.3, TS-0001 9.6.27). */
function isByNames(path: string): boolean {
  return !/^\/[~_]\/|\/(?:la|ol|latest|oldest)\/?(?:\?|$)/.test(path);
}

function refusalOf(failures: readonly Failure[]): string | undefined {
  const [one, ...others] = new Set(failures.map(({ step }) => refusalIn(step)));
  return others.length === 0 ? one : undefined;
}
