import type { Installation } from '../../engine/targets/installation.ts';
import type { Attempt, Move } from '../moves/move.ts';
import type { Statistics } from '../search/statistics.ts';
import type { AnyOperation } from '../sequences/language.ts';
import { betweenLooks, type Performed } from '../sequences/sequence-run.ts';
import { type Both, both, bothDone, type Difference, sides } from './difference.ts';
import { type AnswerPair, type Course, type Parted, partedIn } from './parted.ts';
import { type Contest, type SequenceFacts, Side } from './side.ts';
import { asByOther } from './trees.ts';

/** A difference where it showed first in a sequence. */
export interface ShownDifference {
  readonly parted: Parted;
  /** The last request, of which the answers differ. */
  readonly pair: AnswerPair;
  readonly performed: Both<readonly Performed[]>;
  /** How what was created at the CSE base is called. */
  readonly labels: Both<string>;
  /** Signatures of what had shown before. */
  readonly after: readonly string[];
}

/** A difference that is still to be made small, and told. */
export interface Candidate {
  readonly shown: Pick<ShownDifference, 'parted' | 'pair'>;
  /** Of the sequence that shows it. */
  readonly size: number;
  readonly told: () => Promise<Difference>;
  /** What shows when it is sent once more. */
  readonly again: () => Promise<ReadonlyMap<string, unknown>>;
}

/** What a part of a search has found, or why one of the targets is lost. */
export interface Candidates {
  readonly found: readonly Candidate[];
  readonly lost?: string | undefined;
}

interface PairedOutcome {
  /** In the order in which they showed, each signature once. */
  readonly shown: ReadonlyMap<string, ShownDifference>;
  /** The operation after which the two hold different things, so that nothing after it can be compared. */
  readonly partedAt?: number;
}

/** Sends the requests of one sequence to both targets, each at both before the next. */
export class PairedRun {
  readonly #options: Contest;
  readonly #statistics: Statistics | undefined;
  readonly #sides: Both<Side>;
  readonly #anyOriginator: boolean;
  readonly #movesTime: boolean;
  readonly #shown = new Map<string, ShownDifference>();
  readonly #course: Course = { decided: new Set(), removed: false, limited: false };
  #apart = false;
  #isByOther = false;

  /** `statistics`: what counts it, if anything does. */
  constructor(
    options: Contest,
    installations: Both<Installation>,
    { statistics, ...facts }: SequenceFacts & { readonly statistics?: Statistics | undefined },
  ) {
    this.#options = options;
    this.#statistics = statistics;
    const anyOriginator = sides.every((side) => installations[side].has.has('any originator'));
    this.#anyOriginator = anyOriginator || installations.A.dialect === 'onem2m';
    this.#movesTime = sides.every((side) => installations[side].clock?.virtual === true);
    const own = { ...facts, anyOriginator };
    this.#sides = both((side) => new Side(options[side], installations[side], own, options));
  }

  /** Rejects with TargetLost when one of the targets cannot be reached. */
  async run(operations: readonly AnyOperation[]): Promise<PairedOutcome> {
    const { signal } = this.#options;
    let partedAt: number | undefined;
    try {
      await bothDone((side) => this.#sides[side].listen());
      for (const [at, operation] of operations.entries()) {
        await this.#operate(operation);
        const looks = !this.#apart && (at + 1) % betweenLooks === 0 && at + 1 < operations.length;
        if (looks) await this.#make((side) => side.play.look());
        if (this.#apart) partedAt = at;
        if (this.#apart || signal.aborted) break;
      }
      if (!this.#apart && !signal.aborted) await this.#make((side) => side.play.look());
      if (!this.#apart && !signal.aborted) await this.#lookByOther();
    } finally {
      await bothDone((side) => this.#sides[side].leave(signal));
    }
    return { shown: this.#shown, ...(partedAt !== undefined && { partedAt }) };
  }

  /** What B has created, by the wire of A. */
  async #lookByOther(): Promise<void> {
    const { other } = this.#options;
    const installation = await other.installation();
    if (installation === undefined) return;
    this.#sides.B.readBy(other, installation);
    this.#isByOther = true;
    await this.#make((side) => side.play.look());
  }

  async #operate(operation: AnyOperation): Promise<void> {
    if (operation.does === 'advance time') {
      if (!this.#movesTime) return;
      await bothDone((side) => this.#sides[side].letPass(operation.time, this.#options.signal));
    }
    await this.#make((side) => side.play.move(operation));
  }

  async #make(moveAt: (side: Side) => Move): Promise<void> {
    const moves = both((side) => moveAt(this.#sides[side]));
    let next = both((side) => moves[side].next());
    while (!next.A.done && !next.B.done && !this.#options.signal.aborted) {
      const pair = await this.#ask({ A: next.A.value, B: next.B.value });
      if (pair === undefined || this.#apart) return;
      next = both((side) => moves[side].next(pair[side].came));
    }
    // A difference that was told already has made one of them go another way.
    if (next.A.done !== next.B.done && !this.#options.signal.aborted) this.#apart = true;
  }

  /** Undefined when the targets may not be asked this, or are to be asked different things by now. */
  async #ask(given: Both<Attempt>): Promise<AnswerPair | undefined> {
    const asked = this.#isByOther ? both((side) => asByOther(given[side])) : given;
    const attempts = this.#anyOriginator ? asked : both((side) => ({ ...asked[side], by: 'nobody' }));
    const texts = both((side) => requestText(attempts[side], this.#sides[side]));
    if (texts.A !== texts.B) {
      this.#apart = true;
      return undefined;
    }
    for (const side of sides) if (await this.#sides[side].sender.refuses(attempts[side])) return undefined;
    const pair = await bothDone((side) => this.#sides[side].send(attempts[side]));
    if (this.#isByOther && !this.#options.other.tells(pair.B.exchange)) return undefined;
    this.#statistics?.sent(attempts.A.about);
    for (const { requirement } of pair.A.demanded) {
      if (this.#options.judges(requirement)) this.#statistics?.judged(requirement);
    }
    this.#compare(pair);
    if (pair.A.came.outcome !== pair.B.came.outcome) this.#apart = true;
    return pair;
  }

  #compare(pair: AnswerPair): void {
    const after = [...this.#shown.keys()];
    for (const parted of partedIn(pair, this.#course, this.#options)) {
      if (this.#shown.has(parted.signature)) continue;
      const performed = both((side) => [...this.#sides[side].performed]);
      const labels = both((side) => this.#sides[side].label);
      this.#shown.set(parted.signature, { parted, pair, performed, labels, after });
    }
  }
}

/** A request as both targets get it: without what the run or the target is called by, and without times. */
function requestText({ step, by, about }: Attempt, { names }: Side): string {
  const written = JSON.stringify([step, by, about], (key, value: unknown) => {
    if (key === 'et' || key === 'cra') return '(time)';
    if (typeof value !== 'string') return value;
    return value.startsWith('/') ? names.address(value) : names.text(value);
  });
  return written.replace(',"et":"(time)"', '');
}
