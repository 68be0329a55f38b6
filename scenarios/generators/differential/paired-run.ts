import type { Installation } from '../../engine/targets/installation.ts';
import type { Attempt, Move } from '../moves/move.ts';
import type { Statistics } from '../search/statistics.ts';
import type { AnyOperation } from '../sequences/language.ts';
import { lookInterval, type Performed } from '../sequences/sequence-run.ts';
import { type Both, both, bothDone, type Difference, sides } from './difference.ts';
import { type AnswerPair, differencesIn, type PartDifference, type SequenceHistory } from './part-difference.ts';
import { type DiffContext, type SequenceFacts, Side } from './side.ts';
import { asReadBack } from './trees.ts';

/** The first find of a difference in a sequence. */
export interface FoundDifference {
  readonly difference: PartDifference;
  /** The last request, whose answers differ. */
  readonly pair: AnswerPair;
  readonly performed: Both<readonly Performed[]>;
  /** Labels of what was created at the CSE base. */
  readonly labels: Both<string>;
  /** Signatures of earlier differences. */
  readonly after: readonly string[];
}

/** A difference still to be shrunk and reported. */
export interface Candidate {
  readonly finding: Pick<FoundDifference, 'difference' | 'pair'>;
  /** Of the sequence that shows it. */
  readonly size: number;
  readonly toDifference: () => Promise<Difference>;
  /** What sending it again shows. */
  readonly again: () => Promise<ReadonlyMap<string, unknown>>;
}

/** What a batch of a search found, or why a target is lost. */
export interface Candidates {
  readonly found: readonly Candidate[];
  readonly lost?: string | undefined;
}

interface PairedOutcome {
  /** In order of appearance, each signature once. */
  readonly found: ReadonlyMap<string, FoundDifference>;
  /** The operation after which the two diverge, so that nothing after it can be compared. */
  readonly divergedAt?: number;
}

/** Sends the requests of one sequence to both targets, each at both before the next. */
export class PairedRun {
  readonly #options: DiffContext;
  readonly #statistics: Statistics | undefined;
  readonly #sides: Both<Side>;
  readonly #anyOriginator: boolean;
  readonly #movesTime: boolean;
  readonly #found = new Map<string, FoundDifference>();
  readonly #history: SequenceHistory = { decided: new Set(), removed: false, limited: false };
  #diverged = false;
  #isReadBack = false;

  /** `statistics`: counts it, if present. */
  constructor(
    options: DiffContext,
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
    let divergedAt: number | undefined;
    try {
      await bothDone((side) => this.#sides[side].listen());
      for (const [at, operation] of operations.entries()) {
        await this.#operate(operation);
        const looks = !this.#diverged && (at + 1) % lookInterval === 0 && at + 1 < operations.length;
        if (looks) await this.#make((side) => side.moves.look());
        if (this.#diverged) divergedAt = at;
        if (this.#diverged || signal.aborted) break;
      }
      if (!this.#diverged && !signal.aborted) await this.#make((side) => side.moves.look());
      if (!this.#diverged && !signal.aborted) await this.#lookByOther();
    } finally {
      await bothDone((side) => this.#sides[side].leave(signal));
    }
    return { found: this.#found, ...(divergedAt !== undefined && { divergedAt }) };
  }

  /** What B created, over the wire of A. */
  async #lookByOther(): Promise<void> {
    const { shared } = this.#options;
    const installation = await shared.installation();
    if (installation === undefined) return;
    this.#sides.B.readThrough(shared, installation);
    this.#isReadBack = true;
    await this.#make((side) => side.moves.look());
  }

  async #operate(operation: AnyOperation): Promise<void> {
    if (operation.does === 'advance time') {
      if (!this.#movesTime) return;
      await bothDone((side) => this.#sides[side].letPass(operation.time, this.#options.signal));
    }
    await this.#make((side) => side.moves.move(operation));
  }

  async #make(moveAt: (side: Side) => Move): Promise<void> {
    const moves = both((side) => moveAt(this.#sides[side]));
    let next = both((side) => moves[side].next());
    while (!next.A.done && !next.B.done && !this.#options.signal.aborted) {
      const pair = await this.#ask({ A: next.A.value, B: next.B.value });
      if (pair === undefined || this.#diverged) return;
      next = both((side) => moves[side].next(pair[side].response));
    }
    // A difference reported before made one of them take another path.
    if (next.A.done !== next.B.done && !this.#options.signal.aborted) this.#diverged = true;
  }

  /** Undefined if the request may not be sent, or the two requests differ by now. */
  async #ask(attempts: Both<Attempt>): Promise<AnswerPair | undefined> {
    const requested = this.#isReadBack ? both((side) => asReadBack(attempts[side])) : attempts;
    const sent = this.#anyOriginator ? requested : both((side) => ({ ...requested[side], by: 'nobody' }));
    const texts = both((side) => requestText(sent[side], this.#sides[side]));
    if (texts.A !== texts.B) {
      this.#diverged = true;
      return undefined;
    }
    for (const side of sides) if (await this.#sides[side].sender.refuses(sent[side])) return undefined;
    const pair = await bothDone((side) => this.#sides[side].send(sent[side]));
    if (this.#isReadBack && !this.#options.shared.isSameCse(pair.B.exchange)) return undefined;
    this.#statistics?.sent(sent.A.about);
    for (const { requirement } of pair.A.demanded) {
      if (this.#options.isChecked(requirement)) this.#statistics?.checked(requirement);
    }
    this.#compare(pair);
    if (pair.A.response.outcome !== pair.B.response.outcome) this.#diverged = true;
    return pair;
  }

  #compare(pair: AnswerPair): void {
    const after = [...this.#found.keys()];
    for (const difference of differencesIn(pair, this.#history, this.#options)) {
      if (this.#found.has(difference.signature)) continue;
      const performed = both((side) => [...this.#sides[side].performed]);
      const labels = both((side) => this.#sides[side].label);
      this.#found.set(difference.signature, { difference, pair, performed, labels, after });
    }
  }
}

/** A request as both targets get it: without names of run or target, and without times. */
function requestText({ step, by, about }: Attempt, { names }: Side): string {
  const written = JSON.stringify([step, by, about], (key, value: unknown) => {
    if (key === 'et' || key === 'cra') return '(time)';
    if (typeof value !== 'string') return value;
    return value.startsWith('/') ? names.address(value) : names.text(value);
  });
  return written.replace(',"et":"(time)"', '');
}
