/**
 * Whether some order explains a history: every part of a request takes place at one moment between call and answer, and a CSE that
 * goes through them in that order gives these answers (Wing and Gong 1993; Lowe 2017 for the memory of what was tried).
 */
import type { Judges } from './changes.ts';
import { type Call, givenIn, type History } from './history.ts';
import { containerDepth, depthOf, type Possible, State, type Unit } from './state.ts';
import { unitsOf } from './units.ts';

type Verdict =
  | { readonly kind: 'explained'; readonly judged: readonly string[] }
  | {
      readonly kind: 'unexplained';
      readonly requirement: string;
      /** Index of the request whose answer is left over when as much as can be is explained, and the order in which what is began. */
      readonly call: number;
      readonly order: readonly number[];
    }
  | { readonly kind: 'undecided' };

/** States that are looked at before it is given up. */
const usualBound = 30_000;

export function explain(history: History, judges: Judges, bound = usualBound): Verdict {
  const units = unitsOf(history, judges).toSorted((a, b) => a.to - b.to || a.from - b.from);
  return new Search(units, { judges, order: orderThatCounts(history), bound }).verdict();
}

type Order = Parameters<State['keyOf']>[0];

/** Where none goes by itself, nor is the oldest asked for, only the newest matters: so there are far fewer states to look at. */
function orderThatCounts({ calls }: History): Order {
  const tells = (call: Call) =>
    call.does === 'retrieve oldest' ||
    (call.does === 'delete' && depthOf(call.path ?? '') > containerDepth) ||
    givenIn(call).mni !== undefined;
  return calls.some(tells) ? 'of all' : 'of the newest';
}

interface Place {
  readonly state: State;
  /** By the order of their ends. */
  readonly left: readonly Unit[];
  readonly done: readonly Unit[];
}

interface Deepest {
  readonly done: readonly Unit[];
  readonly unit: Unit;
  readonly requirement: string;
}

class Search {
  readonly #units: readonly Unit[];
  readonly #limits: { readonly judges: Judges; readonly order: Order; readonly bound: number };
  readonly #numbers: ReadonlyMap<Unit, number>;
  readonly #tried = new Set<string>();
  #deepest: Deepest | undefined;

  constructor(units: readonly Unit[], limits: { judges: Judges; order: Order; bound: number }) {
    this.#units = units;
    this.#limits = limits;
    this.#numbers = new Map(units.map((unit, number) => [unit, number]));
  }

  verdict(): Verdict {
    if (this.#isExplained({ state: new State(), left: this.#units, done: [] }))
      return { kind: 'explained', judged: this.#units.flatMap(({ about }) => about.filter(this.#limits.judges)) };
    if (this.#tried.size >= this.#limits.bound || this.#deepest === undefined) return { kind: 'undecided' };
    const { done, unit, requirement } = this.#deepest;
    return { kind: 'unexplained', requirement, call: unit.call, order: [...new Set(done.map(({ call }) => call))] };
  }

  /** Whether some order of what is left explains it; false as well where the bound is reached. */
  #isExplained(given: Place): boolean {
    const place = this.#withoutChoice(given);
    if (place.left.every(({ optional }) => optional)) return true;
    const key = this.#keyOf(place);
    if (this.#tried.has(key) || this.#tried.size >= this.#limits.bound) return false;
    this.#tried.add(key);
    for (const unit of openIn(place.left).filter(({ readOnly }) => !readOnly)) {
      for (const { state } of unit.possible(place.state).filter((one) => this.#isPermitted(one))) {
        const left = place.left.filter((one) => one !== unit);
        if (this.#isExplained({ state, left, done: [...place.done, unit] })) return true;
      }
    }
    this.#remember(place);
    return false;
  }

  /** The part that has to come next, before any other can begin, is what nothing explains. */
  #remember({ state, left, done }: Place): void {
    if (this.#deepest !== undefined && this.#deepest.done.length >= done.length) return;
    const unit = left.find(({ optional }) => !optional);
    const requirement = unit?.possible(state).find((one) => !this.#isPermitted(one))?.broken;
    if (unit !== undefined && requirement !== undefined) this.#deepest = { done, unit, requirement };
  }

  /** Takes what never changes anything and is right as things stand: whatever follows can follow as well when it is done. */
  #withoutChoice(given: Place): Place {
    let place = given;
    for (;;) {
      const { state, left, done } = place;
      const isRight = (unit: Unit) => unit.readOnly && unit.possible(state).some((one) => this.#isPermitted(one));
      const still = openIn(left).filter(isRight);
      if (still.length === 0) return place;
      place = { state, left: left.filter((unit) => !still.includes(unit)), done: [...done, ...still] };
    }
  }

  /** Only what is judged counts as broken. */
  #isPermitted({ broken }: Possible): boolean {
    return broken === undefined || !this.#limits.judges(broken);
  }

  #keyOf({ left, state }: Place): string {
    return `${left.map((unit) => this.#numbers.get(unit)).join()} ${state.keyOf(this.#limits.order)}`;
  }
}

/** What can come next: it was asked before anything that is left was answered. */
function openIn(left: readonly Unit[]): Unit[] {
  const first = left.find(({ optional }) => !optional)?.to ?? Number.POSITIVE_INFINITY;
  return left.filter(({ from }) => from <= first);
}

export interface Unexplained {
  readonly history: History;
  readonly verdict: Extract<Verdict, { kind: 'unexplained' }>;
}

/** Undefined where some order explains the history, or it cannot be decided whether one does. */
export function unexplained(history: History, judges: Judges): Unexplained | undefined {
  const verdict = explain(history, judges);
  return verdict.kind === 'unexplained' ? { history, verdict } : undefined;
}

/**
 * Leaves out what has nothing to do with it: requests that changed nothing. Whatever explains a history explains it without them, so
 * that a history that stays unexplained was so before.
 */
export function lessened(given: Unexplained, judges: Judges): Unexplained {
  let best = given;
  const { requirement } = given.verdict;
  for (const call of given.history.calls.toReversed()) {
    if (!isHarmless(call)) continue;
    const calls = best.history.calls.filter((one) => one !== call);
    const less = unexplained({ ...best.history, calls }, judges);
    if (less?.verdict.requirement === requirement) best = less;
  }
  return best;
}

function isHarmless({ outcome, does }: Call): boolean {
  return outcome === 'refused' || does === 'discover' || does.startsWith('retrieve');
}
