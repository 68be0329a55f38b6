import type { DeathsOptions } from '../../engine/running/losses.ts';
import { CrashRecovery, type MonitoredTarget, monitoredIn } from '../search/crash-recovery.ts';
import { lostBy, type SeededFinding, shrink } from '../search/seeded.ts';
import type { Statistics } from '../search/statistics.ts';
import { type AnyOperation, languageOf } from '../sequences/language.ts';
import { aboutText, describeDifference } from './describe-difference.ts';
import { type Both, both, bothDone, type Difference, type SidedDeath, type SideName, sides } from './difference.ts';
import { type Candidate, type Candidates, type FoundDifference, PairedRun } from './paired-run.ts';
import { subjectOf } from './part-difference.ts';
import { ScriptDiffer } from './script-differ.ts';
import type { Scripts } from './scripts.ts';
import type { DiffContext } from './side.ts';

interface DifferOptions extends DiffContext {
  readonly maxDifferences: number;
  /** Scenarios to run beside the sequences; absent for none. */
  readonly scripts?: Scripts | undefined;
}

export interface DiffFindings {
  readonly differences: readonly Difference[];
  readonly deaths: readonly SidedDeath[];
  /** Why one of the targets is lost. */
  readonly lost?: string | undefined;
}

/** Most operations left out of one sequence, so that those after them are compared as well. */
const mostLeftOut = 8;

/** Sequences to run before shrinking, so that decided differences come before implementation-defined ones. */
const sequencesBeforeShrinking = 24;

/** The same for scenarios, which are shorter. */
const scriptsBeforeShrinking = 32;

/** Runs sequences at both targets, and shrinks every new difference. */
export class Differ {
  readonly #options: DifferOptions;
  readonly #monitored: Both<readonly MonitoredTarget[]>;
  readonly #recovery: CrashRecovery;
  readonly #differences = new Map<string, Difference>();
  /** Subjects that requirements decided (`subjectOf`): each is reported once, and no gap about it. */
  readonly #decided = new Set<string>();
  /** Differences still to be shrunk, by signature. */
  readonly #waiting = new Map<string, Candidate>();

  constructor(options: DifferOptions) {
    this.#options = options;
    const { emit, startedAt, signal } = options;
    this.#monitored = both((side) => {
      const { session, restart, underWay } = options[side];
      const report: DeathsOptions['emit'] = ({ type, death }) => emit({ type, death: { side, ...death } });
      return monitoredIn(session, { startedAt, signal, restart, emit: report }, { name: `${side}: `, underWay });
    });
    this.#recovery = new CrashRecovery([...this.#monitored.A, ...this.#monitored.B]);
  }

  async differ(): Promise<DiffFindings> {
    const lost = await this.#search().catch((error) => lostBy(error).message);
    // Leftovers are removed once it is back.
    await this.#recovery.ready().catch(lostBy);
    this.#options.reportProgress('in any case');
    const deathsAt = (side: SideName): SidedDeath[] =>
      this.#monitored[side].flatMap(({ deaths }) => deaths.all.map((one) => ({ side, ...one })));
    return { differences: [...this.#differences.values()], deaths: sides.flatMap(deathsAt), lost };
  }

  /** Why one of the targets is lost. */
  async #search(): Promise<string | undefined> {
    const { scripts, runs } = this.#options;
    const differ = scripts && new ScriptDiffer(scripts, this.#options, this.#recovery);
    const lost =
      differ && (await this.#inParts(scripts.all.length, scriptsBeforeShrinking, (...part) => differ.search(...part)));
    return lost ?? this.#inParts(runs, sequencesBeforeShrinking, (...part) => this.#searchSequences(...part));
  }

  /** Searches in batches, and shrinks what each showed. */
  async #inParts(
    all: number,
    size: number,
    search: (from: number, count: number) => Promise<Candidates>,
  ): Promise<string | undefined> {
    for (let from = 0; from < all && !this.#options.enough() && !this.#isEnough(); from += size) {
      const { found, lost } = await search(from, Math.min(size, all - from));
      if (lost !== undefined) return lost;
      for (const one of found) this.#keep(one);
      await this.#shrinkWaiting();
    }
    return undefined;
  }

  async #searchSequences(from: number, runs: number): Promise<Candidates> {
    const { A, B } = this.#options;
    const { sequences: arbitrary } = languageOf(A.session);
    const jobs = Math.min(A.session.jobs, B.session.jobs);
    const part = { ...this.#options, arbitrary, from, runs, jobs, goesOn: true };
    const { found, lost } = await this.#recovery.search(part, (...one) => this.#counted(...one));
    const all = found.flatMap(({ result: each, ...sequence }) =>
      [...each.values()].map((finding) => ({
        ...{ finding, size: sequence.one.length },
        toDifference: () => this.#toDifference({ ...sequence, result: finding }),
        again: () => this.#everything(sequence.one, sequence.path),
      })),
    );
    return { found: all, lost };
  }

  /** The shortest sequence of each difference. */
  #keep(candidate: Candidate): void {
    const { size, finding } = candidate;
    const { signature } = finding.difference;
    if (this.#differences.has(signature) || (this.#waiting.get(signature)?.size ?? size + 1) <= size) return;
    this.#waiting.set(signature, candidate);
  }

  /** Shrinks what waits, decided differences first; a sequence that the user gives by its path is reported as it is. */
  async #shrinkWaiting(): Promise<void> {
    const { path } = this.#options;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    if (path === undefined) waiting.sort((a, b) => rankOf(a.finding) - rankOf(b.finding));
    for (const found of waiting) {
      if (this.#isEnough()) return;
      if (this.#isDecided(found.finding) || (await this.#isAccident(found))) continue;
      await this.#add(found);
    }
  }

  #isEnough(): boolean {
    return this.#differences.size >= this.#options.maxDifferences;
  }

  async #counted(operations: readonly AnyOperation[], path: string): Promise<ReadonlyMap<string, FoundDifference>> {
    const { statistics, reportProgress } = this.#options;
    const found = await this.#everything(operations, path, statistics);
    statistics.sequences += 1;
    reportProgress();
    return found;
  }

  /** All differences of a sequence. Operations after which the targets diverge are left out, so that the rest is compared as well. */
  async #everything(sequence: readonly AnyOperation[], path: string, statistics?: Statistics) {
    const all = new Map<string, FoundDifference>();
    let operations = sequence;
    for (let leftOut = 0; leftOut <= mostLeftOut && operations.length > 0; leftOut += 1) {
      const installations = await bothDone(async (side) => this.#options[side].session.installation());
      const facts = { number: this.#options.nextNumber(), path, statistics };
      const run = new PairedRun(this.#options, installations, facts);
      const { found, divergedAt } = await run.run(operations);
      for (const [signature, one] of found) if (!all.has(signature)) all.set(signature, one);
      if (divergedAt === undefined || this.#options.signal.aborted) break;
      operations = operations.toSpliced(divergedAt, 1);
    }
    return all;
  }

  async #toDifference(found: SeededFinding<AnyOperation[], FoundDifference>): Promise<Difference> {
    const { emit } = this.#options;
    const { path, result } = found;
    const { part, signature } = result.difference;
    await this.#recovery.ready();
    if (this.#options.path === undefined) emit({ type: 'difference found', part, about: aboutText(result), path });
    const small = await shrink(found, {
      ...{ ...this.#options, arbitrary: languageOf(this.#options.A.session).sequences },
      run: (tried) => this.#recovery.run(async () => (await this.#everything(tried, path)).get(signature)),
      onSmaller: ({ length }, attempts) => emit({ type: 'shrunk', operations: length, attempts }),
    });
    await this.#recovery.ready();
    return describeDifference(small, this.#options);
  }

  /** One missing answer is no difference yet: it may come the second time. */
  async #isAccident({ finding: { difference, pair }, again }: Candidate): Promise<boolean> {
    if (sides.every((side) => pair[side].exchange.answer !== undefined)) return false;
    await this.#recovery.ready();
    return !(await this.#recovery.run(again)).has(difference.signature);
  }

  /** Whether it is open only because less is certain than where a requirement decided the same subject. */
  #isDecided({ difference, pair }: Candidate['finding']): boolean {
    return difference.right === 'gap' && this.#decided.has(subjectOf(difference, pair));
  }

  async #add({ finding: { difference: found, pair }, toDifference }: Candidate): Promise<void> {
    const difference = await toDifference();
    this.#differences.set(difference.signature, difference);
    if (found.right !== 'gap' && found.part !== 'status') this.#decided.add(subjectOf(found, pair));
  }
}

/** The smaller, the more it says. */
function rankOf({ difference: { right, part } }: Candidate['finding']): number {
  if (right !== 'gap') return 0;
  if (part === 'status') return 1;
  return part.startsWith('header ') ? 3 : 2;
}
