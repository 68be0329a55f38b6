import { type DocumentedOperation, sequences } from '../operations/documented.ts';
import type { Settings } from '../search/campaign.ts';
import { lostBy, type SeededFinding, type Shrunk, shrink, triedOf } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { type Both, bothDone, type DiffEvent, type Difference } from './difference.ts';
import type { RulesUsed } from './left-open.ts';
import { Mortals, type SidedDeath, survivedBatch, type Tried } from './mortals.ts';
import { PairedRun, type ShownDifference } from './paired-run.ts';
import { type Deciding, subjectOf } from './parted.ts';
import type { Competitor } from './side.ts';
import { aboutText, told } from './told.ts';

interface DifferOptions extends Deciding, Settings<DiffEvent>, Both<Competitor> {
  readonly maxDifferences: number;
  readonly statistics: Statistics;
  readonly used: RulesUsed;
}

export interface Differed {
  readonly differences: readonly Difference[];
  readonly deaths: readonly SidedDeath[];
  /** Why one of the targets is lost. */
  readonly lost?: string | undefined;
}

/** Operations that are left out of one sequence at the most, so that what comes after them is compared as well. */
const mostLeftOut = 8;

/** Sequences after which what they showed is made small, so that what a requirement decides comes before what is left open. */
const sequencesBeforeShrinking = 24;

/** Runs sequences at both targets, and makes every new difference small. */
export class Differ {
  readonly #options: DifferOptions;
  readonly #mortals: Mortals;
  readonly #differences = new Map<string, Difference>();
  /** What requirements have decided about, as `subjectOf` says it: it is told once, and no gap is told of it. */
  readonly #decided = new Set<string>();
  /** Differences that are still to be made small, by their signatures. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: DifferOptions) {
    this.#options = options;
    this.#mortals = new Mortals(options);
  }

  async differ(): Promise<Differed> {
    const lost = await this.#search().catch((error) => lostBy(error).message);
    // What is left there is removed once it is back.
    if (lost === undefined && this.#mortals.isDown)
      await this.#mortals.comeBack().catch((error) => lostBy(error).message);
    this.#options.tellHowFar('in any case');
    return { differences: [...this.#differences.values()], deaths: this.#mortals.all, lost };
  }

  async #search(): Promise<undefined> {
    const { A, B, enough } = this.#options;
    const jobs = Math.min(A.arena.jobs, B.arena.jobs);
    let waited = 0;
    for (const batch of batchesOf(triedOf({ ...this.#options, made: sequences }), jobs)) {
      if (enough() || this.#isEnough()) break;
      const found = await survivedBatch(batch, (...one) => this.#counted(...one), this.#mortals);
      for (const [at, [path, one]] of batch.entries()) this.#keep({ path, one }, found[at] ?? new Map());
      waited += batch.length;
      if (waited < sequencesBeforeShrinking) continue;
      waited = 0;
      await this.#settle();
    }
    await this.#settle();
  }

  /** Of each new difference the shortest sequence. */
  #keep(sequence: Omit<Waiting, 'shown'>, all: ReadonlyMap<string, ShownDifference>): void {
    for (const [signature, shown] of all) {
      if (this.#differences.has(signature)) continue;
      const known = this.#waiting.get(signature);
      if (known !== undefined && known.one.length <= sequence.one.length) continue;
      this.#waiting.set(signature, { ...sequence, shown });
    }
  }

  /** Makes what waits small, first what a requirement decides; of the sequence of which the user gives the path all is told as it is. */
  async #settle(): Promise<void> {
    const { path } = this.#options;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (path === undefined) waiting.sort((a, b) => rankOf(a.shown) - rankOf(b.shown));
    for (const found of waiting) {
      if (this.#isEnough()) return;
      if (this.#isDecided(found.shown)) continue;
      await this.#add(await this.#shrunk(found), found.one.length);
    }
  }

  #isEnough(): boolean {
    return this.#differences.size >= this.#options.maxDifferences;
  }

  async #counted(
    operations: readonly DocumentedOperation[],
    path: string,
  ): Promise<ReadonlyMap<string, ShownDifference>> {
    const { statistics, tellHowFar } = this.#options;
    const shown = await this.#everything(operations, path, statistics);
    statistics.sequences += 1;
    tellHowFar();
    return shown;
  }

  /** Everything that differs in a sequence. What makes the targets hold different things is left out, so that the rest is compared as well. */
  async #everything(
    given: readonly DocumentedOperation[],
    path: string,
    statistics?: Statistics,
  ): Promise<ReadonlyMap<string, ShownDifference>> {
    const all = new Map<string, ShownDifference>();
    let operations = given;
    for (let leftOut = 0; leftOut <= mostLeftOut && operations.length > 0; leftOut += 1) {
      const installations = await bothDone(async (side) => this.#options[side].arena.installation());
      const run = new PairedRun(
        { ...this.#options, number: this.#options.nextNumber(), path, statistics },
        installations,
      );
      const { shown, partedAt } = await run.run(operations);
      for (const [signature, one] of shown) if (!all.has(signature)) all.set(signature, one);
      if (partedAt === undefined || this.#options.signal.aborted) break;
      operations = operations.toSpliced(partedAt, 1);
    }
    return all;
  }

  async #shrunk(found: Waiting): Promise<Small> {
    const { tell } = this.#options;
    const { path, shown } = found;
    const { part, signature } = shown.parted;
    await this.#ready();
    if (this.#options.path === undefined) tell({ type: 'difference found', part, about: aboutText(shown), path });
    const small = await shrink(found, {
      ...{ ...this.#options, made: sequences },
      run: async (tried) => (await this.#everything(tried, path)).get(signature),
      onSmaller: ({ length }, attempts) => tell({ type: 'shrunk', operations: length, attempts }),
    });
    await this.#ready();
    return small;
  }

  /** Rejects with TargetLost where a target is dead and does not come back. */
  async #ready(): Promise<void> {
    if (this.#mortals.isDown) await this.#mortals.comeBack();
  }

  /** Whether it is left open, but only because less is certain than where a requirement has decided about the same. */
  #isDecided({ parted, pair }: ShownDifference): boolean {
    return parted.right === 'gap' && this.#decided.has(subjectOf(parted, pair));
  }

  /** `atFirst`: how many operations there were. */
  async #add(small: Small, atFirst: number): Promise<void> {
    const { parted, pair } = small.shown;
    const difference = await told(small, { ...this.#options, atFirst });
    this.#differences.set(difference.signature, difference);
    if (parted.right !== 'gap' && parted.part !== 'status') this.#decided.add(subjectOf(parted, pair));
  }
}

type Small = Shrunk<DocumentedOperation[], ShownDifference>;
type Waiting = SeededFinding<DocumentedOperation[], ShownDifference>;

/** The smaller, the more it tells. */
function rankOf({ parted: { right, part } }: ShownDifference): number {
  if (right !== 'gap') return 0;
  if (part === 'status') return 1;
  return part.startsWith('header ') ? 3 : 2;
}

function* batchesOf(all: Iterable<Tried>, size: number): Generator<readonly Tried[]> {
  let batch: Tried[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
