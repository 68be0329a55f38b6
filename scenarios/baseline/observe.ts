import type { CheckResult, RunResult, ScenarioResult } from '../engine/results/result.ts';
import { type ExcusedDeviation, inRange } from './grammar.ts';
import { normaliserOf, type RunFacts } from './normalise.ts';
import type { Baseline, BaselineEntry } from './read.ts';
import { hashOf, type Signature, signatureOf } from './signature.ts';

/** In a baseline: a failure that rules find, in any scenario. */
export const anywhere = '*';

/** A check of a run, with its name in baselines. */
export interface NamedCheck {
  readonly scenario: ScenarioResult;
  readonly check: CheckResult;
  /** Note or title of the step, which stay the same when other steps are added. */
  readonly step: string;
  /** Counts checks of the requirement at steps of this name, from 1. */
  readonly nth: number;
  readonly signature: Signature;
}

export function namedChecks(scenario: ScenarioResult, facts: RunFacts): NamedCheck[] {
  const normalise = normaliserOf(facts, scenario);
  const seen = new Map<string, number>();
  return scenario.steps.flatMap(({ note, title, checks }) => {
    const step = note ?? normalise(title);
    return checks.map((check) => {
      const key = `${check.requirement}\n${step}`;
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      return {
        ...{ scenario, check, step, nth },
        // Computed only when needed.
        get signature() {
          return signatureOf(check, normalise);
        },
      };
    });
  });
}

export interface BaselineObservation {
  readonly entry: BaselineEntry;
  /**
   * `failed`: with this failure. `passed`: its check passed. `failed otherwise`: with another failure. `not judged`: no result (not
   * selected, blocked, interrupted, in another shard). `not meant for this target`: its condition does not hold.
   */
  readonly state: 'failed' | 'passed' | 'failed otherwise' | 'not judged' | 'not meant for this target';
  /** The failed checks that it covers. */
  readonly checks: readonly NamedCheck[];
  /** Whether the run has the check, with whatever result. */
  readonly present: boolean;
}

export type ObservedRun = Pick<RunResult, 'run' | 'dialect' | 'target' | 'scenarios'>;

/** Whether a report is of a whole run, and not of a shard, of chosen ids, or of one that was broken off. */
export function isWholeRun({ requirements }: Pick<RunResult, 'requirements'>): boolean {
  return requirements.every(({ verdict }) => verdict !== 'excluded');
}

/**
 * The state of each entry in a run, in file order. Rules may find what an entry for any scenario is about where a run that is not
 * whole never looked.
 */
export function observe({ entries }: Baseline, run: ObservedRun, isWhole: boolean): BaselineObservation[] {
  const relevant = new Set(entries.map((entry) => entry.scenario));
  const isRelevant = ({ id, steps }: ScenarioResult) =>
    relevant.has(id) || relevant.has(anywhere) || steps.some((step) => step.checks.some(({ byRule }) => byRule));
  const scenarios = entries.length === 0 ? [] : run.scenarios.filter(isRelevant);
  const all = scenarios.flatMap((one) => namedChecks(one, run));
  const byRule = all.filter(({ check }) => check.byRule);
  return entries.map((entry) => {
    if (!holdsFor(entry, run)) return { entry, state: 'not meant for this target', checks: [], present: false };
    const own = all.filter((one) => !one.check.byRule && isAbout(entry, one));
    const found = byRule.filter(({ check }) => check.requirement === entry.requirement);
    const isSame = ({ signature }: NamedCheck) => signature.hash === hashOf(entry.signature);
    const about = entry.scenario === anywhere ? [...found, ...own] : own;
    const failed = about.filter(({ check }) => check.state === 'failed');
    const used = failed.filter(isSame);
    // A failure found by a rule is known in any scenario if an entry has the same requirement and failure.
    const checks = [...new Set([...used, ...found.filter(isSame)])];
    const isLookedAt = about.length > 0 && (isWhole || entry.scenario !== anywhere);
    const passed = isLookedAt && about.every(isConclusive) ? 'passed' : 'not judged';
    const state = used.length > 0 ? 'failed' : failed.length > 0 ? 'failed otherwise' : passed;
    return { entry, state, checks, present: own.length > 0 };
  });
}

function isAbout({ scenario, requirement, step, nth = 1 }: BaselineEntry, one: NamedCheck): boolean {
  if (one.check.requirement !== requirement || (scenario !== anywhere && one.scenario.id !== scenario)) return false;
  return step === undefined || (one.step === step && one.nth === nth);
}

/** A scenario that was broken off is not conclusive. */
function isConclusive({ check, scenario }: NamedCheck): boolean {
  return check.state === 'passed' && scenario.state !== 'interrupted' && scenario.state !== 'fault';
}

type RunTarget = Pick<RunResult, 'dialect' | 'target'>;

/** Whether an entry applies to this run. Unknown properties of a target meet no condition. */
function holdsFor({ when = {} }: Pick<ExcusedDeviation, 'when'>, { dialect, target }: RunTarget): boolean {
  const { product, version } = when;
  if (when.dialect !== undefined && when.dialect !== dialect) return false;
  if (product !== undefined && product.toLowerCase() !== target.product?.toLowerCase()) return false;
  return version === undefined || (target.version !== undefined && inRange(target.version, version));
}

/** Such as `dialect onem2m, version >=1.2 <2`; empty without a condition. */
export function conditionText({ dialect, product, version }: NonNullable<ExcusedDeviation['when']> = {}): string {
  const words = [product, version && `version ${[version].flat().join(' or ')}`, dialect && `dialect ${dialect}`];
  return words.filter((one) => one !== undefined).join(', ');
}
