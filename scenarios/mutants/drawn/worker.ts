/** A process that judges what it is sent by every scenario of its dialect; a deviation once it has a witness. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { serveTasks } from '../../engine/processes/serve-tasks.ts';
import { witnessOf } from '../../engine/targets/embedded/simulated-deviations.ts';
import { seeWhole } from '../see.ts';
import type { Drawn, DrawnSight } from './drawn-row.ts';

export interface DrawnTask {
  readonly number: number;
  readonly drawn: Drawn;
  readonly dialect: Dialect;
  readonly seed: number;
}

serveTasks(async ({ drawn, dialect, seed }: DrawnTask): Promise<DrawnSight> => {
  if ('variations' in drawn) return { sight: await seeWhole(drawn, dialect) };
  const deviations = [drawn.deviation];
  const witness = await witnessOf(deviations, { dialect, seed });
  return witness === undefined ? {} : { witness, sight: await seeWhole({ deviations }, dialect) };
});
