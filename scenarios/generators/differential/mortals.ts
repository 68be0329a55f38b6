import type { Death, LostRequest } from '../../engine/results/result.ts';
import { Deaths, type DeathsOptions } from '../../engine/running/deaths.ts';
import type { DocumentedOperation } from '../operations/documented.ts';
import { TargetLost } from '../search/seeded.ts';
import { type Both, type SideName, sides } from './difference.ts';
import type { ShownDifference } from './paired-run.ts';
import type { Competitor } from './side.ts';

/** Which of the two died, and how. */
export interface SidedDeath extends Death {
  readonly side: SideName;
}

interface MortalsOptions extends Pick<DeathsOptions, 'startedAt' | 'signal'>, Both<Competitor> {
  readonly tell: (event: { readonly type: 'target died' | 'target back'; readonly death: SidedDeath }) => void;
}

/** A comparison survives so many deaths of each target. */
const most = 10;

/** The deaths of two targets; waits for whichever is dead. */
export class Mortals {
  readonly #sides: ReadonlyArray<{ readonly competitor: Competitor; readonly deaths: Deaths }>;

  constructor({ A, B, tell, ...options }: MortalsOptions) {
    this.#sides = [A, B].flatMap((competitor) => {
      const { side, restart, arena } = competitor;
      const { liveness, tidy } = arena;
      if (liveness === undefined) return [];
      const telling: DeathsOptions['tell'] = ({ type, death }) => tell({ type, death: { side, ...death } });
      return [{ competitor, deaths: new Deaths({ ...options, liveness, tidy, restart, tell: telling }) }];
    });
  }

  get all(): SidedDeath[] {
    return this.#sides.flatMap(({ competitor: { side }, deaths }) => deaths.all.map((one) => ({ side, ...one })));
  }

  get isDown(): boolean {
    return this.#sides.some(({ deaths }) => deaths.isDown);
  }

  /** To be called when nothing runs any more. `again`: after what was under way at the last death was sent again, alone. */
  async comeBack(again = false): Promise<void> {
    for (const { competitor, deaths } of this.#sides) {
      const underWay = competitor.underWay.splice(0);
      if (!deaths.isDown) continue;
      note(deaths, underWay, again);
      if (deaths.all.length >= most) throw new TargetLost(`${competitor.side}: the target died ${most} times`);
      if (!(await deaths.comeBack())) {
        if (!again && underWay.length === 1) deaths.diedAlone(underWay[0]);
        throw new TargetLost(`${competitor.side}: ${deaths.why()}`);
      }
    }
  }
}

function note(deaths: Deaths, underWay: readonly LostRequest[], again: boolean): void {
  if (again && deaths.last.culprit === undefined) deaths.diedAgain(underWay[0]);
  else deaths.record(underWay);
}

/** The deaths of one target after the other. */
export function bySide<D extends SidedDeath>(deaths: readonly D[]): ReadonlyArray<readonly [SideName, readonly D[]]> {
  const all = sides.map((side) => [side, deaths.filter((one) => one.side === side)] as const);
  return all.filter(([, those]) => those.length > 0);
}

/** A sequence, by its path among those of the seed. */
export type Tried = readonly [path: string, operations: DocumentedOperation[]];

type Differences = ReadonlyMap<string, ShownDifference>;
type Compare = (operations: readonly DocumentedOperation[], path: string) => Promise<Differences>;

/**
 * What each of a batch shows. Those that came to no end since a target died run again, alone: the one under which it dies again holds
 * the culprit. Rejects with TargetLost where a target is not to be had any more.
 */
export async function survivedBatch(
  batch: readonly Tried[],
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
  batch: readonly Tried[],
  compare: Compare,
  mortals: Mortals,
): Promise<Array<Differences | undefined>> {
  const all = await Promise.allSettled(batch.map(([path, operations]) => compare(operations, path)));
  return all.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof TargetLost && mortals.isDown) return undefined;
    throw one.reason;
  });
}
