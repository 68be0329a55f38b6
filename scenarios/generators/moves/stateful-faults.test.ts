import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Counterexample } from '../exploration.ts';
import { type ExploreOptions, explore } from '../explore.ts';

async function counterexampleTo(fault: string, level: ExploreOptions['level']): Promise<Counterexample | undefined> {
  const target = { kind: 'in-process', faults: [`stateful.${fault}`] } as const;
  const events = explore({ target, seed: 33, runs: 400, ...(level && { level }) });
  let step = await events.next();
  while (!step.done) step = await events.next();
  return step.value.counterexample;
}

/** Each takes another way to its state. Those of the level gap break nothing that the specification shows. */
const faults: ReadonlyArray<readonly [fault: string, level?: 'gap']> = [
  ['delete.leaves-grandchildren'],
  ['delete.stays-in-ch'],
  ['delete.takes-namesakes'],
  ['expired.cni-not-lowered'],
  ['limit.full-takes-nothing', 'gap'],
  ['limit.one-less'],
  ['many.ch-cut'],
  ['originators.latest-of-own'],
  ['removed.latest-is-a-ghost'],
  ['second-life.refused', 'gap'],
  ['sp-relative.container-remembered'],
];

for (const [fault, level] of faults) {
  test(`a few operations show the fault ${fault}`, async () => {
    const found = await counterexampleTo(fault, level);
    assert.equal(found?.confirmed, true);
    assert.ok((found?.operations.left.length ?? 99) <= 4, found?.scenario);
  });
}
