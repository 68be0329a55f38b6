import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOf } from '../../engine/running/last-of.ts';
import type { Counterexample } from '../exploring/exploration.ts';
import { explore } from '../exploring/explore.ts';
import type { ExploreOptions } from '../search/explore-options.ts';

async function counterexampleTo(
  deviation: string,
  seed: number,
  level: ExploreOptions['level'],
): Promise<Counterexample | undefined> {
  const target = { kind: 'in-process', deviations: [`stateful.${deviation}`] } as const;
  return (await lastOf(explore({ target, seed, runs: 400, ...(level && { level }) }))).counterexample;
}

/** Each takes another way to its state, soon with its seed. Those of the level gap break nothing that the specification shows. */
const deviations: ReadonlyArray<readonly [deviation: string, seed: number, level?: 'gap']> = [
  ['delete.leaves-grandchildren', 13],
  ['delete.stays-in-ch', 3],
  ['delete.takes-namesakes', 3],
  ['expired.cni-not-lowered', 13],
  ['limit.full-takes-nothing', 9, 'gap'],
  ['limit.one-less', 10],
  ['many.ch-cut', 2],
  ['originators.latest-of-own', 2],
  ['removed.latest-is-a-ghost', 1],
  ['second-life.refused', 4, 'gap'],
  ['sp-relative.container-remembered', 13],
];

for (const [deviation, seed, level] of deviations) {
  test(`a few operations show the deviation ${deviation}`, async () => {
    const found = await counterexampleTo(deviation, seed, level);
    assert.equal(found?.confirmed, true);
    assert.ok((found?.operations.left.length ?? 99) <= 4, found?.scenario);
  });
}
