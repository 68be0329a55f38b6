import type { RunResult, ScenarioResult } from '../engine/result.ts';
import type { Deviation } from './grammar.ts';
import { anywhere, type NamedCheck, namedChecks } from './normalise.ts';
import type { Baseline, Entry } from './read.ts';
import { hashOf, signatureOf } from './signature.ts';
import { inRange } from './version-range.ts';

/** What a run says of an entry. */
export interface Observation {
  readonly entry: Entry;
  /**
   * `used`: its failure is there. `passed`: its check passed. `otherwise`: it failed in another way. `not judged`: nothing
   * can be said (not selected, blocked, interrupted, in another shard). `not meant`: its condition does not hold.
   */
  readonly state: 'used' | 'passed' | 'otherwise' | 'not judged' | 'not meant';
  /** The failed checks that it speaks of. */
  readonly checks: readonly NamedCheck[];
  /** True where the run has the check, whatever came of it. */
  readonly present: boolean;
}

export type Observed = Pick<RunResult, 'run' | 'dialect' | 'target' | 'scenarios'>;

/** What a run says of each entry, in the order of the file. */
export function observe({ entries }: Baseline, run: Observed): Observation[] {
  const checks = new Map<string, readonly NamedCheck[]>();
  const wanted = new Set(entries.map((entry) => entry.scenario));
  const isWanted = ({ id, steps }: ScenarioResult) =>
    wanted.has(id) || wanted.has(anywhere) || steps.some((step) => step.checks.some(({ byRule }) => byRule));
  for (const scenario of entries.length === 0 ? [] : run.scenarios) {
    if (isWanted(scenario)) checks.set(scenario.id, namedChecks(scenario, run));
  }
  const all = [...checks.values()].flat();
  const byRule = all.filter(({ check }) => check.byRule);
  return entries.map((entry) => {
    if (!holdsFor(entry, run)) return { entry, state: 'not meant', checks: [], present: false };
    const among = entry.scenario === anywhere ? all : (checks.get(entry.scenario) ?? []);
    const own = among.filter((one) => !one.check.byRule && isAbout(entry, one));
    const found = byRule.filter(({ check }) => check.requirement === entry.requirement);
    return {
      entry,
      ...withRules(stateOf(entry, entry.scenario === anywhere ? [...found, ...own] : own), entry, found),
      present: own.length > 0,
    };
  });
}

/** What a rule finds is known wherever it is, once an entry speaks of the same requirement and the same failure. */
function withRules(
  { state, checks }: Pick<Observation, 'state' | 'checks'>,
  entry: Entry,
  found: readonly NamedCheck[],
): Pick<Observation, 'state' | 'checks'> {
  const same = found.filter((one) => signatureOf(one.check, one.normalise).hash === hashOf(entry.signature));
  return { state, checks: [...new Set([...checks, ...same])] };
}

function isAbout({ requirement, step, nth = 1 }: Entry, one: NamedCheck): boolean {
  if (one.check.requirement !== requirement) return false;
  return step === undefined || (one.step === step && one.nth === nth);
}

function stateOf(entry: Entry, own: readonly NamedCheck[]): Pick<Observation, 'state' | 'checks'> {
  const failed = own.filter(({ check }) => check.state === 'failed');
  const hash = hashOf(entry.signature);
  const checks = failed.filter((one) => signatureOf(one.check, one.normalise).hash === hash);
  if (checks.length > 0) return { state: 'used', checks };
  if (failed.length > 0) return { state: 'otherwise', checks: [] };
  const passed = own.length > 0 && own.every(isJudged);
  return { state: passed ? 'passed' : 'not judged', checks: [] };
}

/** A scenario that was broken off says nothing for certain. */
function isJudged({ check, scenario }: NamedCheck): boolean {
  return check.state === 'passed' && scenario.state !== 'interrupted' && scenario.state !== 'fault';
}

/** What conditions look at. */
type Circumstances = Pick<RunResult, 'dialect' | 'target'>;

/** Whether an entry is meant for this run. What a target does not tell of itself fulfils no condition. */
function holdsFor({ when = {} }: Pick<Deviation, 'when'>, { dialect, target }: Circumstances): boolean {
  const { product, version } = when;
  if (when.dialect !== undefined && when.dialect !== dialect) return false;
  if (product !== undefined && product.toLowerCase() !== target.product?.toLowerCase()) return false;
  return version === undefined || (target.version !== undefined && inRange(target.version, version));
}

/** Such as `dialect onem2m, version >=1.2 <2`; empty without a condition. */
export function conditionText({ dialect, product, version }: NonNullable<Deviation['when']> = {}): string {
  const words = [
    product,
    version === undefined ? undefined : `version ${[version].flat().join(' or ')}`,
    dialect === undefined ? undefined : `dialect ${dialect}`,
  ];
  return words.filter((one) => one !== undefined).join(', ');
}
