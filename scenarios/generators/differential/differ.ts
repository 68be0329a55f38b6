import type { DeathsOptions } from '../../engine/running/deaths.ts';
import { lostBy, type SeededFinding, shrink } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { type Mortal, mortalsIn, Survivor } from '../search/survivor.ts';
import { type AnyOperation, languageOf } from '../sequences/language.ts';
import { type Both, both, bothDone, type Difference, type SidedDeath, sides } from './difference.ts';
import { type Candidate, type Candidates, PairedRun, type ShownDifference } from './paired-run.ts';
import { subjectOf } from './parted.ts';
import { ScriptDiffer } from './script-differ.ts';
import type { Scripts } from './scripts.ts';
import type { Contest } from './side.ts';
import { aboutText, told } from './told.ts';

interface DifferOptions extends Contest {
  readonly maxDifferences: number;
  /** Scenarios that both are asked beside the sequences; absent where they are not. */
  readonly scripts?: Scripts | undefined;
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

/** The same of scenarios, which are shorter. */
const scriptsBeforeShrinking = 32;

/** Runs sequences at both targets, and makes every new difference small. */
export class Differ {
  readonly #options: DifferOptions;
  readonly #mortals: Both<readonly Mortal[]>;
  readonly #survivor: Survivor;
  readonly #differences = new Map<string, Difference>();
  /** What requirements have decided about, as `subjectOf` says it: it is told once, and no gap is told of it. */
  readonly #decided = new Set<string>();
  /** Differences that are still to be made small, by their signatures. */
  readonly #waiting = new Map<string, Candidate>();

  constructor(options: DifferOptions) {
    this.#options = options;
    const { tell, startedAt, signal } = options;
    this.#mortals = both((side) => {
      const { arena, restart, underWay } = options[side];
      const telling: DeathsOptions['tell'] = ({ type, death }) => tell({ type, death: { side, ...death } });
      return mortalsIn(arena, { startedAt, signal, restart, tell: telling }, { name: `${side}: `, underWay });
    });
    this.#survivor = new Survivor([...this.#mortals.A, ...this.#mortals.B]);
  }

  async differ(): Promise<Differed> {
    const lost = await this.#search().catch((error) => lostBy(error).message);
    // What is left there is removed once it is back.
    await this.#survivor.ready().catch(lostBy);
    this.#options.tellHowFar('in any case');
    return { differences: [...this.#differences.values()], deaths: this.#deaths(), lost };
  }

  #deaths(): SidedDeath[] {
    return sides.flatMap((side) =>
      this.#mortals[side].flatMap(({ deaths }) => deaths.all.map((one) => ({ side, ...one }))),
    );
  }

  /** Why one of the targets is lost. */
  async #search(): Promise<string | undefined> {
    const { scripts, runs } = this.#options;
    const differ = scripts && new ScriptDiffer(scripts, this.#options, this.#survivor);
    const lost =
      differ && (await this.#inParts(scripts.all.length, scriptsBeforeShrinking, (...part) => differ.search(...part)));
    return lost ?? this.#inParts(runs, sequencesBeforeShrinking, (...part) => this.#searchSequences(...part));
  }

  /** So many at a time, after which what they showed is made small. */
  async #inParts(
    all: number,
    size: number,
    search: (from: number, count: number) => Promise<Candidates>,
  ): Promise<string | undefined> {
    for (let from = 0; from < all && !this.#options.enough() && !this.#isEnough(); from += size) {
      const { found, lost } = await search(from, Math.min(size, all - from));
      if (lost !== undefined) return lost;
      for (const one of found) this.#keep(one);
      await this.#settle();
    }
    return undefined;
  }

  async #searchSequences(from: number, runs: number): Promise<Candidates> {
    const { A, B } = this.#options;
    const made = languageOf(A.arena).sequences;
    const part = { ...this.#options, made, from, runs, jobs: Math.min(A.arena.jobs, B.arena.jobs), goesOn: true };
    const { found, lost } = await this.#survivor.search(part, (...one) => this.#counted(...one));
    const all = found.flatMap(({ shown: each, ...sequence }) =>
      [...each.values()].map((shown) => ({
        ...{ shown, size: sequence.one.length },
        told: () => this.#told({ ...sequence, shown }),
        again: () => this.#everything(sequence.one, sequence.path),
      })),
    );
    return { found: all, lost };
  }

  /** Of each new difference the shortest sequence. */
  #keep(candidate: Candidate): void {
    const { size, shown } = candidate;
    const { signature } = shown.parted;
    if (this.#differences.has(signature) || (this.#waiting.get(signature)?.size ?? size + 1) <= size) return;
    this.#waiting.set(signature, candidate);
  }

  /** Makes what waits small, first what a requirement decides; of the sequence of which the user gives the path all is told as it is. */
  async #settle(): Promise<void> {
    const { path } = this.#options;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (path === undefined) waiting.sort((a, b) => rankOf(a.shown) - rankOf(b.shown));
    for (const found of waiting) {
      if (this.#isEnough()) return;
      if (this.#isDecided(found.shown) || (await this.#isAccident(found))) continue;
      await this.#add(found);
    }
  }

  #isEnough(): boolean {
    return this.#differences.size >= this.#options.maxDifferences;
  }

  async #counted(operations: readonly AnyOperation[], path: string): Promise<ReadonlyMap<string, ShownDifference>> {
    const { statistics, tellHowFar } = this.#options;
    const shown = await this.#everything(operations, path, statistics);
    statistics.sequences += 1;
    tellHowFar();
    return shown;
  }

  /** Everything that differs in a sequence. What makes the targets hold different things is left out, so that the rest is compared as well. */
  async #everything(
    given: readonly AnyOperation[],
    path: string,
    statistics?: Statistics,
  ): Promise<ReadonlyMap<string, ShownDifference>> {
    const all = new Map<string, ShownDifference>();
    let operations = given;
    for (let leftOut = 0; leftOut <= mostLeftOut && operations.length > 0; leftOut += 1) {
      const installations = await bothDone(async (side) => this.#options[side].arena.installation());
      const facts = { number: this.#options.nextNumber(), path, statistics };
      const { shown, partedAt } = await new PairedRun(this.#options, installations, facts).run(operations);
      for (const [signature, one] of shown) if (!all.has(signature)) all.set(signature, one);
      if (partedAt === undefined || this.#options.signal.aborted) break;
      operations = operations.toSpliced(partedAt, 1);
    }
    return all;
  }

  async #told(found: SeededFinding<AnyOperation[], ShownDifference>): Promise<Difference> {
    const { tell } = this.#options;
    const { path, shown } = found;
    const { part, signature } = shown.parted;
    await this.#survivor.ready();
    if (this.#options.path === undefined) tell({ type: 'difference found', part, about: aboutText(shown), path });
    const small = await shrink(found, {
      ...{ ...this.#options, made: languageOf(this.#options.A.arena).sequences },
      run: (tried) => this.#survivor.run(async () => (await this.#everything(tried, path)).get(signature)),
      onSmaller: ({ length }, attempts) => tell({ type: 'shrunk', operations: length, attempts }),
    });
    await this.#survivor.ready();
    return told(small, this.#options);
  }

  /** One answer that does not come is nothing yet; where it comes the second time, it may have been in time. */
  async #isAccident({ shown: { parted, pair }, again }: Candidate): Promise<boolean> {
    if (sides.every((side) => pair[side].exchange.answer !== undefined)) return false;
    await this.#survivor.ready();
    return !(await this.#survivor.run(again)).has(parted.signature);
  }

  /** Whether it is left open, but only because less is certain than where a requirement has decided about the same. */
  #isDecided({ parted, pair }: Candidate['shown']): boolean {
    return parted.right === 'gap' && this.#decided.has(subjectOf(parted, pair));
  }

  async #add({ shown: { parted, pair }, told }: Candidate): Promise<void> {
    const difference = await told();
    this.#differences.set(difference.signature, difference);
    if (parted.right !== 'gap' && parted.part !== 'status') this.#decided.add(subjectOf(parted, pair));
  }
}

/** The smaller, the more it tells. */
function rankOf({ parted: { right, part } }: Candidate['shown']): number {
  if (right !== 'gap') return 0;
  if (part === 'status') return 1;
  return part.startsWith('header ') ? 3 : 2;
}
