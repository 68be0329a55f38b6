import type { Installation } from '../../engine/running/installation.ts';
import type { Attempt, Move } from '../moves/move.ts';
import type { Operation } from '../operations/operation.ts';
import type { Performed } from '../sequence-run.ts';
import { betweenLooks } from '../sequence-run.ts';
import type { Statistics } from '../statistics.ts';
import type { SideName } from './difference.ts';
import { type Course, type Deciding, type Pair, type Parted, partedIn } from './parted.ts';
import type { RulesUsed } from './rules.ts';
import { type Competitor, Side } from './side.ts';

/** A difference where it showed first in a sequence. */
export interface Shown {
  readonly parted: Parted;
  /** The last request, of which the answers differ. */
  readonly pair: Pair;
  readonly performed: { readonly A: readonly Performed[]; readonly B: readonly Performed[] };
  /** How what was created at the CSE base is called. */
  readonly labels: { readonly A: string; readonly B: string };
  /** Signatures of what had shown before. */
  readonly after: readonly string[];
}

interface PairedOutcome {
  /** In the order in which they showed, each signature once. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** The operation after which the two hold different things, so that nothing after it can be compared. */
  readonly partedAt?: number;
}

interface PairedOptions extends Deciding {
  readonly A: Competitor;
  readonly B: Competitor;
  readonly number: number;
  /** Of the sequence among those of the seed. */
  readonly path: string;
  readonly used: RulesUsed;
  readonly statistics?: Statistics | undefined;
  readonly signal: AbortSignal;
}

/** Sends the requests of one sequence to both targets, each at both before the next. */
export class PairedRun {
  readonly #options: PairedOptions;
  readonly #A: Side;
  readonly #B: Side;
  readonly #anyOriginator: boolean;
  readonly #shown = new Map<string, Shown>();
  readonly #course: Course = { decided: new Set(), removed: false, limited: false };
  #apart = false;

  constructor(options: PairedOptions, installations: Readonly<Record<SideName, Installation>>) {
    this.#options = options;
    const both = [installations.A, installations.B];
    const offers = {
      anyOriginator: both.every(({ has }) => has.has('any originator')),
      plain: both.every(({ has }) => has.has('plain HTTP')),
    };
    const { number, path, used } = options;
    this.#anyOriginator = offers.anyOriginator;
    this.#A = new Side({ competitor: options.A, installation: installations.A, number, path, offers, used });
    this.#B = new Side({ competitor: options.B, installation: installations.B, number, path, offers, used });
  }

  /** Rejects with TargetLost when one of the targets cannot be reached. */
  async run(operations: readonly Operation[]): Promise<PairedOutcome> {
    const { signal } = this.#options;
    let partedAt: number | undefined;
    try {
      for (const [at, operation] of operations.entries()) {
        await this.#operate(operation);
        const looks = !this.#apart && (at + 1) % betweenLooks === 0 && at + 1 < operations.length;
        if (looks) await this.#make((side) => side.play.look());
        if (this.#apart) partedAt = at;
        if (this.#apart || signal.aborted) break;
      }
      if (!this.#apart && !signal.aborted) await this.#make((side) => side.play.look());
    } finally {
      await Promise.all([this.#A.clean(signal), this.#B.clean(signal)]);
    }
    return { shown: this.#shown, ...(partedAt !== undefined && { partedAt }) };
  }

  async #operate(operation: Operation): Promise<void> {
    if (operation.does === 'advance time') {
      if (!this.#A.movesTime || !this.#B.movesTime) return;
      const { signal } = this.#options;
      await Promise.all([this.#A.letPass(operation.time, signal), this.#B.letPass(operation.time, signal)]);
    }
    await this.#make((side) => side.play.move(operation));
  }

  async #make(moveAt: (side: Side) => Move): Promise<void> {
    const moves = { A: moveAt(this.#A), B: moveAt(this.#B) };
    let next = { A: moves.A.next(), B: moves.B.next() };
    while (!next.A.done && !next.B.done && !this.#options.signal.aborted) {
      const pair = await this.#ask({ A: next.A.value, B: next.B.value });
      if (pair === undefined || this.#apart) return;
      next = { A: moves.A.next(pair.A.came), B: moves.B.next(pair.B.came) };
    }
    // A difference that was told already has made one of the models expect something else.
    if (next.A.done !== next.B.done && !this.#options.signal.aborted) this.#apart = true;
  }

  /** Undefined when the targets may not be asked this, or are to be asked different things by now. */
  async #ask(given: { A: Attempt; B: Attempt }): Promise<Pair | undefined> {
    const attempts = { A: this.#by(given.A), B: this.#by(given.B) };
    if (requestText(attempts.A, this.#A) !== requestText(attempts.B, this.#B)) {
      this.#apart = true;
      return undefined;
    }
    if ((await this.#A.refrains(attempts.A)) || (await this.#B.refrains(attempts.B))) return undefined;
    const [A, B] = await allOf([this.#A.send(attempts.A), this.#B.send(attempts.B)]);
    const { statistics } = this.#options;
    statistics?.sent(attempts.A.about);
    for (const { requirement } of attempts.A.expectations) {
      if (this.#options.judges(requirement)) statistics?.judged(requirement);
    }
    const pair = { A, B };
    this.#compare(pair);
    if (A.came.outcome !== B.came.outcome) this.#apart = true;
    return pair;
  }

  #by(attempt: Attempt): Attempt {
    return this.#anyOriginator ? attempt : { ...attempt, by: 'nobody' };
  }

  #compare(pair: Pair): void {
    const after = [...this.#shown.keys()];
    for (const parted of partedIn(pair, this.#course, this.#options)) {
      if (this.#shown.has(parted.signature)) continue;
      const performed = { A: [...this.#A.performed], B: [...this.#B.performed] };
      const labels = { A: this.#A.label, B: this.#B.label };
      this.#shown.set(parted.signature, { parted, pair, performed, labels, after });
    }
  }
}

/** Waits for all of them before the first failure is told, so that none goes on alone. */
async function allOf<const T extends readonly unknown[]>(promises: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
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
