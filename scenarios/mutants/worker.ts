/** A process that judges the mutants that it is sent by scenarios, looks for deviations by generated sequences, or proves drawn deviations active and judges them by both. */
import type { Drawn, DrawnDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import { isWire, type WireWorld } from '../../sim/deviations/drawn/operators.ts';
import { type Witness, witnessOf } from '../../sim/witness/witness.ts';
import { defined } from '../engine/basics/defined.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { serveTasks } from '../engine/processes/crew.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { startListening } from '../engine/targets/embedded/pairs.ts';
import { type DiffOptions, type DiffSide, diff } from '../generators/differential/diff.ts';
import type { DiffResult } from '../generators/differential/difference.ts';
import { explore } from '../generators/exploring/explore.ts';
import type { DrawnExploration, DrawnSight } from './drawn/drawn-row.ts';
import { type Catch, type Hunt, hunt, replay } from './generated/hunt.ts';
import { scenariosAbout } from './judged/scope.ts';
import { type Mutant, type Sight, see, seeSound, seeWhole } from './judged/see.ts';
import type { DrawnQuestion, Violation } from './judged/tables.ts';

interface About {
  readonly number: number;
  readonly dialect: Dialect;
  readonly seed: number;
}

export type ProofTask = About & { readonly deviation: DrawnDeviation };
export type JudgeTask = About & { readonly drawn: Drawn; readonly runs: number } & Pick<
    DrawnQuestion,
    'world' | 'differs'
  >;

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
  const { dialect, runs, world, differs } = about;
  if ('variations' in drawn)
    return { sight: await seeSound(drawn.variations, dialect, isWire(world) ? world : undefined) };
  if (differs !== undefined) return compared(drawn.deviations, differs, about);
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

/** What a comparison by HTTP and by this wire tells of a CSE that deviates over this wire only: first by scenarios about that, then by all. */
async function compared(
  deviations: readonly DrawnDeviation[],
  wire: WireWorld,
  { dialect, seed, runs }: Pick<DrawnQuestion, 'dialect' | 'seed' | 'runs'>,
): Promise<DrawnSight> {
  const overIt = deviations.map(({ when, does }) => ({ when: { ...when, wire }, does }));
  const { target, plain, close } = await startListening(dialect, { deviations: overIt }, wire);
  const targets = [plain, target].map((one) => ({ target: one, safety: {} })) as [DiffSide, DiffSide];
  const differing = (scenarios: DiffOptions['scenarios']) =>
    lastOf(diff({ targets, dialect, seed, runs, ...defined({ scenarios }), maxDifferences: 1, shrinkAttempts: 0 }));
  try {
    const soon = await differing(scenariosAbout(deviations, dialect));
    return sightOf(soon.differences.length > 0 || runs === 0 ? soon : await differing('all'));
  } finally {
    await close();
  }
}

function sightOf({ differences: [first], took, scenarios, sequences, exit }: DiffResult): DrawnSight {
  const troubles = first === undefined && exit.code !== 0 ? [exit.reason] : [];
  const sight = { violations: [], causes: [], scenarios, troubles, took };
  if (first === undefined) return { sight };
  const {
    part,
    about,
    compared: { A, B },
    path,
    steps,
    requirement,
  } = first;
  const found: Violation = {
    requirement: requirement?.id ?? `${about} ${part}`,
    scenario: path,
    expected: [requirement === undefined ? `${part} is ${A}` : A],
    actual: requirement === undefined ? `${part} is ${B}` : B,
  };
  if (first.isScenario) return { sight: { ...sight, violations: [found], causes: [found.requirement] } };
  return { sight, explored: { sequences, steps, violation: found, took: 0 } };
}
