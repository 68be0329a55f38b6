/** A process that scores deviations by scenarios, searches for them by generated sequences, or proves drawn ones active and scores them by both. */
import type { Drawn, DrawnDeviation } from '../../sim/deviations/drawn/drawn-deviation.ts';
import { isWire, type WireWorld } from '../../sim/deviations/drawn/operators.ts';
import { type Witness, witnessOf } from '../../sim/witness/witness.ts';
import { defined } from '../engine/basics/defined.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { serveTasks } from '../engine/processes/worker-pool.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { startListening } from '../engine/targets/embedded/pairs.ts';
import { type DiffOptions, type DiffSide, diff } from '../generators/differential/diff.ts';
import type { DiffResult } from '../generators/differential/difference.ts';
import { explore } from '../generators/exploring/explore.ts';
import type { DrawnDetection, DrawnExploration } from './drawn/drawn-row.ts';
import { replay, type SearchOutcome, type SearchTask, searchFor } from './generated/search-task.ts';
import { checkSound, type Detection, type DeviationTask, detect, detectByAll } from './scoring/detect.ts';
import { scenariosAbout } from './scoring/scope.ts';
import type { DrawnSettings, Violation } from './scoring/tables.ts';

interface About {
  readonly number: number;
  readonly dialect: Dialect;
  readonly seed: number;
}

export type ProofTask = About & { readonly toProve: DrawnDeviation };
export type ScoreTask = About & { readonly drawn: Drawn; readonly runs: number } & Pick<
    DrawnSettings,
    'world' | 'differs'
  >;

/** Without a witness if no sequence shows an effect. */
export interface Proof {
  readonly witness?: Witness;
}

type Task = DeviationTask | SearchTask | ProofTask | ScoreTask;

serveTasks((task: Task): Promise<Detection | SearchOutcome | Proof | DrawnDetection> => {
  if ('files' in task) return detect(task);
  if ('deviation' in task) return searchFor(task);
  return 'drawn' in task ? score(task) : prove([task.toProve], task);
});

async function prove(deviations: readonly DrawnDeviation[], { dialect, seed }: About): Promise<Proof> {
  return defined({ witness: await witnessOf(deviations, { dialect, seed }) });
}

async function score({ drawn, ...about }: ScoreTask): Promise<DrawnDetection> {
  const { dialect, runs, world, differs } = about;
  if ('variations' in drawn) return { detection: await checkSound(drawn, dialect, isWire(world) ? world : undefined) };
  if (differs !== undefined) return compare(drawn.deviations, differs, about);
  const detection = await detectByAll({ ...drawn, ...(world && { world }) }, dialect);
  const { deviations } = drawn;
  const together = deviations.length > 1 ? await prove(deviations, about) : {};
  const isOver = detection.violations.length > 0 || runs === 0 || world === 'tls' || isWire(world);
  return { ...together, detection, ...(!isOver && { explored: await explored(deviations, about) }) };
}

/** Most sequences that shrinking tries. */
const shrinkAttempts = 100;

export async function explored(
  deviations: readonly DrawnDeviation[],
  { dialect, seed, runs, world }: Pick<DrawnSettings, 'dialect' | 'seed' | 'runs' | 'world'>,
): Promise<DrawnExploration> {
  const pair = world === 'pair';
  const target = { kind: 'in-process', deviations } as const;
  const result = await lastOf(explore({ target, dialect, pair, seed, runs, shrinkAttempts }));
  const { sequences, took, counterexample, exit } = result;
  const effort = { sequences, took };
  if (counterexample === undefined) return exit.code === 0 ? effort : { ...effort, trouble: exit.reason };
  const { requirement, path, steps, expected, actual, scenario, confirmed } = counterexample;
  // What the sound CSE breaks as well shows nothing.
  const isSound = (await replay(scenario, requirement, { deviations: [], dialect, pair })) === 'passes';
  if (!confirmed || !isSound)
    return { ...effort, trouble: `${requirement}: ${confirmed ? 'fails at the sound CSE too' : 'not seen again'}` };
  const found = { requirement, scenario: `explore --seed ${seed} --path ${path}`, expected: [expected], actual };
  return { ...effort, violation: found, steps };
}

/** Compares a CSE that deviates over this wire only with itself over HTTP: first by scenarios about the deviations, then by all. */
async function compare(
  deviations: readonly DrawnDeviation[],
  wire: WireWorld,
  { dialect, seed, runs }: Pick<DrawnSettings, 'dialect' | 'seed' | 'runs'>,
): Promise<DrawnDetection> {
  const overIt = deviations.map(({ when, does }) => ({ when: { ...when, wire }, does }));
  const { target, plain, close } = await startListening(dialect, { deviations: overIt }, wire);
  const targets = [plain, target].map((one) => ({ target: one, safety: {} })) as [DiffSide, DiffSide];
  const differing = (scenarios: DiffOptions['scenarios']) =>
    lastOf(diff({ targets, dialect, seed, runs, ...defined({ scenarios }), maxDifferences: 1, shrinkAttempts: 0 }));
  try {
    const soon = await differing(scenariosAbout(deviations, dialect));
    return diffDetectionOf(soon.differences.length > 0 || runs === 0 ? soon : await differing('all'));
  } finally {
    await close();
  }
}

function diffDetectionOf({ differences: [first], took, scenarios, sequences, exit }: DiffResult): DrawnDetection {
  const troubles = first === undefined && exit.code !== 0 ? [exit.reason] : [];
  const detection = { violations: [], causes: [], scenarios, troubles, took };
  if (first === undefined) return { detection };
  const { part, about, path, steps, requirement } = first;
  const { A, B } = first.compared;
  const found: Violation = {
    requirement: requirement?.id ?? `${about} ${part}`,
    scenario: path,
    expected: [requirement === undefined ? `${part} is ${A}` : A],
    actual: requirement === undefined ? `${part} is ${B}` : B,
  };
  if (first.isScenario) return { detection: { ...detection, violations: [found], causes: [found.requirement] } };
  return { detection, explored: { sequences, steps, violation: found, took: 0 } };
}
