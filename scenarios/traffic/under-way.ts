import type { Dialect } from '../engine/grammar/dialects.ts';
import { type Asked, askedIn } from '../oracle/asked.ts';
import { mayChange } from '../oracle/effects.ts';
import type { CseNames } from '../safety/address.ts';
import type { Recorded } from './recorded.ts';

/** What an exchange was about, and whether something else that matters for it was under way meanwhile. */
interface Entry {
  readonly recorded: Recorded;
  readonly isWrite: boolean;
  /** What it may have looked at or changed: all that is called so, or stands above or below; undefined for anything. */
  readonly names: readonly string[] | undefined;
  isContested: boolean;
  /** Whether another was created in the same place meanwhile. */
  isTwin: boolean;
}

/**
 * Puts exchanges into the order in which they began, and finds those during which a write was under way that may have to do with
 * them. Creations of different names commute.
 */
export class UnderWay {
  readonly #names: CseNames;
  readonly #dialect: Dialect;
  #waiting: Entry[] = [];
  /** Those that may not be over yet, of all that began before `#seen`. */
  #open: Entry[] = [];
  #seen = Number.NEGATIVE_INFINITY;
  #unnamed = 0;

  constructor(names: CseNames, dialect: Dialect) {
    this.#names = names;
    this.#dialect = dialect;
  }

  /** How many are kept. */
  get size(): number {
    return this.#waiting.length;
  }

  /** False where it began before what was given out already. */
  take(recorded: Recorded): boolean {
    if (recorded.from < this.#seen) return false;
    this.#waiting.push(this.#entryOf(recorded));
    return true;
  }

  /** The start of the one in the middle. */
  get middle(): number {
    this.#sort();
    return this.#waiting[Math.floor(this.#waiting.length / 2)]?.recorded.from ?? 0;
  }

  /** Gives out those that were over at a time before which no other begins any more. */
  *until(time: number): Generator<Pick<Entry, 'recorded' | 'isContested' | 'isTwin'>> {
    this.#sort();
    for (const entry of this.#waiting)
      if (entry.recorded.from >= this.#seen && entry.recorded.from < time) this.#compare(entry);
    this.#seen = Math.max(this.#seen, time);
    const isOver = ({ recorded: { from, to } }: Entry) =>
      from < time && (to <= time || time === Number.POSITIVE_INFINITY);
    const over = this.#waiting.filter(isOver);
    this.#waiting = this.#waiting.filter((entry) => !isOver(entry));
    yield* over;
  }

  #sort(): void {
    this.#waiting.sort((a, b) => a.recorded.from - b.recorded.from);
  }

  #compare(entry: Entry): void {
    this.#open = this.#open.filter(({ recorded }) => recorded.to > entry.recorded.from);
    for (const other of this.#open) {
      if (areTwins(entry, other)) entry.isTwin = other.isTwin = true;
      if (!(entry.isWrite || other.isWrite) || !isRelated(entry, other)) continue;
      if (other.isWrite) entry.isContested = true;
      if (entry.isWrite) other.isContested = true;
    }
    this.#open.push(entry);
  }

  #entryOf(recorded: Recorded): Entry {
    const { exchange } = recorded;
    const asked = askedIn(exchange, this.#names, this.#dialect);
    const isWrite = mayChange(exchange) && asked !== 'elsewhere';
    const names = asked === undefined || asked === 'elsewhere' ? undefined : this.#namesOf(asked);
    return { recorded, isWrite, names, isContested: false, isTwin: false };
  }

  #namesOf({ operation, form, names, given }: Asked): readonly string[] | undefined {
    if (operation === 'other' || form === 'identifier') return undefined;
    if (operation !== 'create') return names;
    // A name that the CSE chooses is no other's.
    return [...names, typeof given?.rn === 'string' ? given.rn : `\0${++this.#unnamed}`];
  }
}

function isRelated(a: Entry, b: Entry): boolean {
  if (a.names === undefined || b.names === undefined) return true;
  const [short, long] = a.names.length <= b.names.length ? [a.names, b.names] : [b.names, a.names];
  return short.every((name, at) => long[at] === name);
}

/** Two that were created side by side. */
function areTwins({ isWrite, names = [] }: Entry, other: Entry): boolean {
  if (!isWrite || !other.isWrite || names.length !== other.names?.length) return false;
  return names.slice(0, -1).every((name, at) => other.names?.[at] === name);
}
