/** A process that looks for the witness of each deviation that it is sent, and judges it by every scenario of its dialect. */

import type { Dialect } from '../../engine/grammar/dialects.ts';
import { serveTasks } from '../../engine/processes/serve-tasks.ts';
import { type Deviation, witnessOf } from '../../engine/targets/embedded/simulated-deviations.ts';
import { seeDeviations } from '../see.ts';
import type { DrawnSight } from './drawn-row.ts';

export interface DrawnTask {
  readonly number: number;
  readonly deviation: Deviation;
  readonly dialect: Dialect;
  readonly seed: number;
}

serveTasks(async ({ deviation, dialect, seed }: DrawnTask): Promise<DrawnSight> => {
  const witness = await witnessOf([deviation], { dialect, seed });
  return witness === undefined ? {} : { witness, sight: await seeDeviations([deviation], dialect) };
});
