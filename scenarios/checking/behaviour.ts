/** Implementation-defined behaviour of the reference CSE, as recorded. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normaliserOf } from '../baseline/normalise.ts';
import { signatureOf } from '../baseline/signature.ts';
import { lazy } from '../engine/basics/memoize.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { CheckResult, RunResult, ScenarioResult } from '../engine/results/result.ts';

/** By dialect, scenario and requirement: the hash of the behaviour at each check, in order. */
export type Behaviour = Readonly<Record<Dialect, Readonly<Record<string, Readonly<Record<string, SeenHashes>>>>>>;

/** Several if the behaviour depends on the installation, such as one without a socket. */
type SeenHashes = readonly (readonly string[])[];

export const behaviourPath = fileURLToPath(new URL('../reference/behaviour.json', import.meta.url));

/** By dialect and requirement, the exchanges that rules check in a whole run on the reference CSE. */
export const inventoryPath = fileURLToPath(new URL('../reference/inventory.json', import.meta.url));

export type Inventory = Readonly<Record<Dialect, NonNullable<RunResult['evidence']>>>;

export function shippedInventory(): Inventory {
  return JSON.parse(readFileSync(inventoryPath, 'utf8')) as Inventory;
}

export const shippedBehaviour = lazy(() => JSON.parse(readFileSync(behaviourPath, 'utf8')) as Behaviour);

type About = Pick<RunResult, 'run' | 'dialect' | 'target'>;

/** The scenarios, with a mark on implementation-defined checks: whether the target behaves as the reference CSE. */
export function comparedWith(behaviour: Behaviour, scenarios: readonly ScenarioResult[], about: About) {
  return scenarios.map((scenario): ScenarioResult => {
    const known = ownValue(behaviour[about.dialect], scenario.id);
    const hashes = known && behaviourHashes(scenario, about);
    if (hashes === undefined || hashes.size === 0) return scenario;
    const compared = (check: CheckResult): CheckResult => {
      const hash = hashes.get(check);
      const seen = hash && ownValue(known, check.requirement)?.[hash.nth];
      if (seen === undefined) return check;
      return {
        ...check,
        asReference: check.state === 'passed' && (seen.includes(hash?.is ?? '') || isJustExpected(check)),
      };
    };
    return {
      ...scenario,
      steps: scenario.steps.map((step) => ({ ...step, checks: step.checks.map(compared) })),
    };
  });
}

/** Whether it is to the letter the only expected behaviour: hashes differ in the form of a time, or in the names of a pair. */
function isJustExpected({ expected, actual }: CheckResult): boolean {
  return expected.length === 1 && actual.replace(/, RSC \d+/, '') === expected[0];
}

interface Hash {
  /** Counts the checks of its requirement in this scenario, from 0. */
  readonly nth: number;
  readonly is: string;
}

/** For each implementation-defined check with a result. */
export function behaviourHashes(scenario: ScenarioResult, about: About): Map<CheckResult, Hash> {
  const checks = scenario.steps.flatMap((step) => step.checks).filter(({ level }) => level === 'gap');
  const normalise = checks.length === 0 ? undefined : normaliserOf(about, scenario);
  // A label within a longer word: its scenario number depends on the selection.
  const within = new RegExp(`(?<=[A-Za-z0-9])cl-${about.run}-\\d+`, 'g');
  const counts = new Map<string, number>();
  const hashes = new Map<CheckResult, Hash>();
  for (const check of checks) {
    const nth = counts.get(check.requirement) ?? 0;
    counts.set(check.requirement, nth + 1);
    const judged = check.state === 'passed' || check.state === 'failed';
    if (!judged || normalise === undefined) continue;
    const actual = check.actual.replace(within, '<label>');
    hashes.set(check, { nth, is: signatureOf({ actual }, normalise).hash });
  }
  return hashes;
}
