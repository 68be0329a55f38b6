/** What generated sequences find of deviations that no scenario sees. */
import { lastOf } from '../../engine/running/last-of.ts';
import type { DrawnDeviation } from '../../engine/targets/embedded/simulated-deviations.ts';
import { explore } from '../../generators/explore.ts';
import { replay } from '../generated/hunt.ts';
import type { Violation } from '../mutant.ts';
import type { DrawnQuestion } from './drawn-table.ts';

export interface Explored {
  /** Up to the one that shows a violation, or all. */
  readonly sequences: number;
  /** Absent where nothing was found. */
  readonly violation?: Violation;
  /** The requests that show it. */
  readonly steps?: readonly string[];
  /** Why something does not count, or was not looked for. */
  readonly trouble?: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Sequences that shrinking tries at the most. */
const shrinkAttempts = 100;

export async function explored(
  deviations: readonly DrawnDeviation[],
  { dialect, seed, runs, world }: Pick<DrawnQuestion, 'dialect' | 'seed' | 'runs' | 'world'>,
): Promise<Explored> {
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
