/** A process that judges the mutants that it is sent by scenarios, looks for faults by generated sequences, or proves drawn deviations active and judges them by both. */
import type { Drawn, DrawnDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import { isWire, type World } from '../../sim/deviations/drawn/operators.ts';
import { type Witness, witnessOf } from '../../sim/witness/witness.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { serveTasks } from '../engine/processes/crew.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { explore } from '../generators/exploring/explore.ts';
import type { DrawnExploration, DrawnSight } from './drawn/drawn-row.ts';
import { type Catch, type Hunt, hunt, replay } from './generated/hunt.ts';
import { type Mutant, type Sight, see, seeSound, seeWhole } from './judged/see.ts';
import type { DrawnQuestion } from './judged/tables.ts';

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
  if ('fault' in task) return hunt(task);
  return 'drawn' in task ? judge(task) : prove([task.deviation], task);
});

async function prove(deviations: readonly DrawnDeviation[], { dialect, seed }: About): Promise<Proof> {
  const witness = await witnessOf(deviations, { dialect, seed });
  return witness === undefined ? {} : { witness };
}

async function judge({ drawn, ...about }: JudgeTask): Promise<DrawnSight> {
  const { dialect, runs, world } = about;
  if ('variations' in drawn)
    return { sight: await seeSound(drawn.variations, dialect, isWire(world) ? world : undefined) };
  const sight = await seeWhole({ ...drawn, ...(world && { world }) }, dialect);
  const { deviations } = drawn;
  const together = deviations.length > 1 ? await prove(deviations, about) : {};
  const isOver = sight.violations.length > 0 || runs === 0 || world === 'tls' || isWire(world);
  return { ...together, sight, ...(!isOver && { explored: await explored(deviations, about) }) };
}

/** Sequences that shrinking tries at the most. */
const shrinkAttempts = 100;

export async function explored(
  deviations: readonly DrawnDeviation[],
  { dialect, seed, runs, world }: Pick<DrawnQuestion, 'dialect' | 'seed' | 'runs' | 'world'>,
): Promise<DrawnExploration> {
  const pair = world === 'pair';
  const target = { kind: 'in-process', deviations } as const;
  const result = await lastOf(explore({ target, dialect, pair, seed, runs, shrinkAttempts }));
  const { sequences, took, counterexample, exit } = result;
  const effort = { sequences, took };
  if (counterexample === undefined) return exit.code === 0 ? effort : { ...effort, trouble: exit.reason };
  const { requirement, path, steps, expected, actual, scenario, confirmed } = counterexample;
  // What the sound CSE does not keep either shows nothing.
  const isSound = (await replay(scenario, requirement, { faults: [], dialect, pair })) === 'passes';
  if (!confirmed || !isSound)
    return { ...effort, trouble: `${requirement}: ${confirmed ? 'fails at the sound CSE too' : 'not seen again'}` };
  const found = { requirement, scenario: `explore --seed ${seed} --path ${path}`, expected: [expected], actual };
  return { ...effort, violation: found, steps };
}
