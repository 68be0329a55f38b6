import type { Operation } from '../operations/operation.ts';
import { TargetLost } from '../sequence-run.ts';
import type { Mortals } from './mortals.ts';
import type { Shown } from './paired-run.ts';

/** A sequence, by its number among those of the seed. */
export type Numbered = readonly [number: number, operations: Operation[]];

type Differences = ReadonlyMap<string, Shown>;
type Compare = (operations: readonly Operation[], path: string) => Promise<Differences>;

/**
 * What each of a batch shows. Those that came to no end since a target died run again, alone: the one under which it dies again holds
 * the culprit. Rejects with TargetLost where a target is not to be had any more.
 */
export async function survivedBatch(
  batch: readonly Numbered[],
  compare: Compare,
  mortals: Mortals,
): Promise<Differences[]> {
  const found = await allOf(batch, compare, mortals);
  const lost = batch.filter((_, at) => found[at] === undefined);
  if (mortals.isDown) await mortals.comeBack();
  for (const one of lost) {
    const [shown] = await allOf([one], compare, mortals);
    found[batch.indexOf(one)] = shown;
    if (mortals.isDown) await mortals.comeBack(true);
  }
  return found.map((one) => one ?? new Map());
}

/** Waits for all of them before it fails, so that none goes on alone; undefined for what a death cut short. */
async function allOf(
  batch: readonly Numbered[],
  compare: Compare,
  mortals: Mortals,
): Promise<Array<Differences | undefined>> {
  const all = await Promise.allSettled(batch.map(([number, operations]) => compare(operations, String(number))));
  return all.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof TargetLost && mortals.isDown) return undefined;
    throw one.reason;
  });
}
