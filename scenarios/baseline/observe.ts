import type { RunResult } from '../engine/result.ts';
import { type NamedCheck, namedChecks } from './check-key.ts';
import { holdsFor } from './condition.ts';
import type { Baseline, Entry } from './read.ts';
import { hashOf, signatureOf } from './signature.ts';

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
  for (const scenario of run.scenarios) {
    if (wanted.has(scenario.id)) checks.set(scenario.id, namedChecks(scenario, run));
  }
  return entries.map((entry) => {
    if (!holdsFor(entry, run)) return { entry, state: 'not meant', checks: [], present: false };
    const own = (checks.get(entry.scenario) ?? []).filter((one) => isAbout(entry, one));
    return { entry, ...stateOf(entry, own), present: own.length > 0 };
  });
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
