/** A process that judges the mutants that it is sent by scenarios, looks for faults by generated sequences, or proves drawn deviations active and judges them by both. */
import type { Dialect } from '../engine/grammar/dialects.ts';
import { serveTasks } from '../engine/processes/crew.ts';
import {
  type DrawnDeviation,
  type Witness,
  type World,
  witnessOf,
} from '../engine/targets/embedded/simulated-deviations.ts';
import type { Drawn, DrawnSight } from './drawn/drawn-row.ts';
import { explored } from './drawn/explored.ts';
import { type Catch, type Hunt, hunt } from './generated/hunt.ts';
import type { Mutant, Sight } from './mutant.ts';
import { see, seeSound, seeWhole } from './see.ts';

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

serveTasks((task: Mutant | Hunt | ProofTask | JudgeTask): Promise<Sight | Catch | Proof | DrawnSight> => {
  if ('files' in task) return see(task);
  if ('level' in task) return hunt(task);
  return 'drawn' in task ? judge(task) : prove([task.deviation], task);
});

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
