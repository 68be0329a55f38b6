/** A process that proves deviations active, and judges what it is sent by every scenario of its dialect and by generated sequences. */
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { serveTasks } from '../../engine/processes/crew.ts';
import {
  type DrawnDeviation,
  type Witness,
  type World,
  witnessOf,
} from '../../engine/targets/embedded/simulated-deviations.ts';
import { seeSound, seeWhole } from '../see.ts';
import type { Drawn, DrawnSight } from './drawn-row.ts';
import { explored } from './explored.ts';

interface About {
  readonly number: number;
  readonly dialect: Dialect;
  readonly seed: number;
}

export type ProofTask = About & { readonly deviation: DrawnDeviation };
export type JudgeTask = About & { readonly drawn: Drawn; readonly runs: number; readonly world?: World };

/** Without a witness where no sequence shows that it does anything. */
export interface Proof {
  readonly witness?: Witness;
}

serveTasks(
  (task: ProofTask | JudgeTask): Promise<Proof | DrawnSight> =>
    'drawn' in task ? judge(task) : prove([task.deviation], task),
);

async function prove(deviations: readonly DrawnDeviation[], { dialect, seed }: About): Promise<Proof> {
  const witness = await witnessOf(deviations, { dialect, seed });
  return witness === undefined ? {} : { witness };
}

async function judge({ drawn, ...about }: JudgeTask): Promise<DrawnSight> {
  const { dialect, runs, world } = about;
  if ('variations' in drawn) return { sight: await seeSound(drawn.variations, dialect) };
  const sight = await seeWhole({ ...drawn, ...(world && { world }) }, dialect);
  const { deviations } = drawn;
  const together = deviations.length > 1 ? await prove(deviations, about) : {};
  const isOver = sight.violations.length > 0 || runs === 0 || world === 'tls';
  return { ...together, sight, ...(!isOver && { explored: await explored(deviations, about) }) };
}
