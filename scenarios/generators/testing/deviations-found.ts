/** For tests: deviations that an exploration finds, and what is left of each. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import type { ExploreResult } from '../exploring/exploration.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { violatedBy } from './violated-by.ts';

/** The requirement that the counterexample cites, its maximal number of steps, and its seed. */
export type ExpectedDeviation = readonly [deviation: string, requirement: string, steps: number, seed: number];

interface ExpectOptions {
  explore(options: Pick<ExploreOptions, 'target' | 'seed' | 'runs'>): Promise<ExploreResult>;
  readonly dialect?: Dialect;
  /** Whether a scenario fails where scenarios run; each does unless this says otherwise. */
  failsAlone?(scenario: string): boolean;
}

/** Each is found, and its scenario fails there, whatever else rules find; all of them pass on the sound reference CSE. */
export async function expectFound(
  t: TestContext,
  found: readonly ExpectedDeviation[],
  { explore, dialect = 'documented', failsAlone = () => true }: ExpectOptions,
): Promise<void> {
  const scenarios: string[] = [];
  for (const [deviation, requirement, steps, seed] of found) {
    await t.test(deviation, async () => {
      const target = { kind: 'in-process', deviations: [deviation] } as const;
      const { counterexample, exit } = await explore({ target, seed, runs: 60 });
      const { scenario = '' } = counterexample ?? {};
      assert.equal(counterexample?.requirement, requirement);
      assert.deepEqual([exit.code, counterexample?.confirmed], [1, true]);
      assert.ok((counterexample?.steps.length ?? 99) <= steps, scenario);
      scenarios.push(scenario);
      if (!failsAlone(scenario)) return;
      const violated = await violatedBy([scenario], { deviations: [deviation], dialect, listening: true });
      assert.ok(violated.includes(requirement), String(violated));
    });
  }
  assert.equal(scenarios.length, found.length);
  assert.deepEqual(await violatedBy(scenarios, { deviations: [], dialect, listening: true }), []);
}
