/** What a comparison of two targets reports: its events and its result. */

import type { TargetDescription } from '../../engine/results/result.ts';
import type { Death } from '../../engine/results/run-context.ts';
import type { ExplorationResult, FoundFacts } from '../search/campaign.ts';
import type { Exercised } from '../search/statistics.ts';
import type { AnyOperation } from '../sequences/language.ts';
import type { Normalised } from './implementation-defined.ts';

/** The two targets, in the given order. */
export const sides = ['A', 'B'] as const;
export type SideName = (typeof sides)[number];

/** One value for each. */
export type Both<T> = Readonly<Record<SideName, T>>;

export function both<T>(of: (side: SideName) => T): Both<T> {
  return { A: of('A'), B: of('B') };
}

/** Waits for both before it rejects, so that neither goes on alone. */
export async function bothDone<T>(of: (side: SideName) => Promise<T>): Promise<Both<T>> {
  const all = both(of);
  await Promise.allSettled([all.A, all.B]);
  return { A: await all.A, B: await all.B };
}

export function otherThan(side: SideName): SideName {
  return side === 'A' ? 'B' : 'A';
}

/** Which of the two died, and how. */
export interface SidedDeath extends Death {
  readonly side: SideName;
}

/** Deaths, grouped by target. */
export function bySide<D extends SidedDeath>(deaths: readonly D[]): ReadonlyArray<readonly [SideName, readonly D[]]> {
  const all = sides.map((side) => [side, deaths.filter((one) => one.side === side)] as const);
  return all.filter(([, those]) => those.length > 0);
}

/** Who follows the specification; `gap`: it says nothing, so both may be right. */
export type Right = SideName | 'neither' | 'gap';

/** A line of two answers side by side; a side without such a part is absent. */
export interface DifferenceRow {
  readonly name: string;
  readonly A?: string;
  readonly B?: string;
  /** Whether the difference is here. */
  readonly differs: boolean;
}

/** A difference between two targets, with the shortest sequence found to show it. */
export interface Difference extends Pick<FoundFacts, 'path' | 'attempts' | 'smallest'> {
  /** The same wherever the same difference is found. */
  readonly signature: string;
  readonly right: Right;
  /** What decides it, or leaves it open; absent if nothing in the catalogue does. */
  readonly requirement?: { readonly id: string; readonly says: string; readonly source: string };
  /** What differs, such as `attribute cni`, and in the answer to what. */
  readonly part: string;
  readonly about: string;
  /** That part of each answer, with normalized identifiers and times. */
  readonly compared: Both<string>;
  /** Whether a scenario showed it: `path` is its id then. */
  readonly isScenario?: true;
  readonly operations: { readonly found: number; readonly left: readonly AnyOperation[] };
  /** Requests, with names in place of what differs from run to run. */
  readonly steps: readonly string[];
  readonly rows: readonly DifferenceRow[];
  /** The last request to each as a command line. */
  readonly curl: Both<string>;
  /** Signatures of differences that show earlier in the same sequence: this one may follow from them. */
  readonly after: readonly string[];
  /** A scenario file that fails at the wrong side. */
  readonly scenario?: string;
  /** Whether it failed once more as a scenario. */
  readonly confirmed?: boolean;
}

export interface DiffResult extends Omit<ExplorationResult, 'run' | 'target'> {
  readonly targets: Both<DiffTarget>;
  readonly sequences: number;
  /** That both have run. */
  readonly scenarios: number;
  /** Requests whose two answers were compared, except those of shrinking. */
  readonly compared: number;
  readonly exercised: Exercised;
  readonly differences: readonly Difference[];
  /** Each time that one stopped answering at all; absent if both lived. */
  readonly deaths?: readonly SidedDeath[];
  readonly normalised: readonly Normalised[];
}

export interface DiffTarget extends TargetDescription {
  /** Of the names created there. */
  readonly run: string;
  /** Ids of deviations of the reference CSE. */
  readonly deviations?: readonly string[];
}

export type DiffEvent =
  | { readonly type: 'target died' | 'target back'; readonly death: SidedDeath }
  | ({ readonly type: 'diff started'; readonly planned: number } & Pick<DiffResult, 'targets' | 'seed'>)
  | ({ readonly type: 'searched' } & Pick<DiffResult, 'sequences' | 'scenarios' | 'compared'>)
  | { readonly type: 'difference found'; readonly part: string; readonly about: string; readonly path: string }
  | { readonly type: 'shrunk'; readonly operations: number; readonly attempts: number }
  | { readonly type: 'diff finished'; readonly result: DiffResult };
