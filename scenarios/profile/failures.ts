import { normaliserOf } from '../baseline/normalise.ts';
import { signatureOf } from '../baseline/signature.ts';
import type { RunResult } from '../engine/result.ts';

/** What was found violated, each with the checks that failed and what they saw, whatever the run was called. */
export type Failures = ReadonlyMap<string, ReadonlySet<string>>;

export function failuresIn(result: RunResult): Failures {
  const facts = { run: result.run, target: result.target };
  const byId = new Map(result.scenarios.map((scenario) => [scenario.id, scenario]));
  const violated = result.requirements.filter(({ verdict }) => verdict === 'violated');
  return new Map(
    violated.map(({ id, violations }) => [
      id,
      new Set(
        violations.flatMap(({ scenario: at, step, check }) => {
          const scenario = byId.get(at);
          const failed = scenario?.steps[step]?.checks[check];
          if (scenario === undefined || failed === undefined) return [];
          return `${at} ${step}.${check} ${signatureOf(failed, normaliserOf(facts, scenario)).hash}`;
        }),
      ),
    ]),
  );
}

/** How much of all that two were seen to do both did; from 0 to 1. */
export function likeness(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
  const all = new Set([...one, ...other]);
  return all.size === 0 ? 0 : [...one].filter((failure) => other.has(failure)).length / all.size;
}
