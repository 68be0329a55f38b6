/**
 * Whether a history is linearizable: each part of a request takes effect at one moment between call and answer, and a CSE that
 * goes through the parts in some such order gives these answers (Wing and Gong 1993; Lowe 2017 on remembering what was tried).
 */
import type { RequirementFilter } from './changes.ts';
import { type Call, type History, requestedIn } from './history.ts';
import { containerDepth, depthOf, type Possible, State, type Unit } from './state.ts';
import { unitsOf } from './units.ts';

type Verdict =
  | { readonly kind: 'explained'; readonly checked: readonly string[] }
  | {
      readonly kind: 'unexplained';
      readonly requirement: string;
      /** Index of the request whose answer the longest explained order leaves over, and that order. */
      readonly call: number;
      readonly order: readonly number[];
    }
  | { readonly kind: 'undecided' };

/** States to search before giving up. */
const usualBound = 30_000;

export function explain(history: History, isChecked: RequirementFilter, bound = usualBound): Verdict {
  const units = unitsOf(history, isChecked).toSorted((a, b) => a.to - b.to || a.from - b.from);
  return new Search(units, { isChecked, order: relevantOrder(history), bound }).verdict();
}

/** Unless instances are evicted or deleted, or the oldest is read, only the newest matters: far fewer states. */
function relevantOrder({ calls }: History): SearchLimits['order'] {
  const matters = (call: Call) =>
    call.does === 'retrieve oldest' ||
    (call.does === 'delete' && depthOf(call.path ?? '') > containerDepth) ||
    requestedIn(call).mni !== undefined;
  return calls.some(matters) ? 'of all' : 'of the newest';
}

interface SearchLimits {
  readonly isChecked: RequirementFilter;
  readonly order: Parameters<State['keyOf']>[0];
  readonly bound: number;
}

interface SearchNode {
  readonly state: State;
  /** In order of their ends. */
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
  readonly #limits: SearchLimits;
  readonly #numbers: ReadonlyMap<Unit, number>;
  readonly #tried = new Set<string>();
  #deepest: Deepest | undefined;

  constructor(units: readonly Unit[], limits: SearchLimits) {
    this.#units = units;
    this.#limits = limits;
    this.#numbers = new Map(units.map((unit, number) => [unit, number]));
  }

  verdict(): Verdict {
    if (this.#isExplained({ state: new State(), left: this.#units, done: [] }))
      return { kind: 'explained', checked: this.#units.flatMap(({ about }) => about.filter(this.#limits.isChecked)) };
    if (this.#tried.size >= this.#limits.bound || this.#deepest === undefined) return { kind: 'undecided' };
    const { done, unit, requirement } = this.#deepest;
    return { kind: 'unexplained', requirement, call: unit.call, order: [...new Set(done.map(({ call }) => call))] };
  }

  /** Whether some order of the rest explains it; also false once the bound is reached. */
  #isExplained(start: SearchNode): boolean {
    const node = this.#withoutChoice(start);
    if (node.left.every(({ optional }) => optional)) return true;
    const key = this.#keyOf(node);
    if (this.#tried.has(key) || this.#tried.size >= this.#limits.bound) return false;
    this.#tried.add(key);
    for (const unit of nextUnits(node.left).filter(({ readOnly }) => !readOnly)) {
      for (const { state } of unit.possible(node.state).filter((one) => this.#isPermitted(one))) {
        const left = node.left.filter((one) => one !== unit);
        if (this.#isExplained({ state, left, done: [...node.done, unit] })) return true;
      }
    }
    this.#remember(node);
    return false;
  }

  /** Nothing explains the part that must come next, before any other can begin. */
  #remember({ state, left, done }: SearchNode): void {
    if (this.#deepest !== undefined && this.#deepest.done.length >= done.length) return;
    const unit = left.find(({ optional }) => !optional);
    const requirement = unit?.possible(state).find((one) => !this.#isPermitted(one))?.broken;
    if (unit !== undefined && requirement !== undefined) this.#deepest = { done, unit, requirement };
  }

  /** Takes read-only parts that are right in this state: that rules out nothing that could follow. */
  #withoutChoice(start: SearchNode): SearchNode {
    let node = start;
    for (;;) {
      const { state, left, done } = node;
      const isRight = (unit: Unit) => unit.readOnly && unit.possible(state).some((one) => this.#isPermitted(one));
      const still = nextUnits(left).filter(isRight);
      if (still.length === 0) return node;
      node = { state, left: left.filter((unit) => !still.includes(unit)), done: [...done, ...still] };
    }
  }

  /** Only checked requirements count. */
  #isPermitted({ broken }: Possible): boolean {
    return broken === undefined || !this.#limits.isChecked(broken);
  }

  #keyOf({ left, state }: SearchNode): string {
    return `${left.map((unit) => this.#numbers.get(unit)).join()} ${state.keyOf(this.#limits.order)}`;
  }
}

/** What can come next: sent before any remaining request was answered. */
function nextUnits(left: readonly Unit[]): Unit[] {
  const first = left.find(({ optional }) => !optional)?.to ?? Number.POSITIVE_INFINITY;
  return left.filter(({ from }) => from <= first);
}

export interface Unexplained {
  readonly history: History;
  readonly verdict: Extract<Verdict, { kind: 'unexplained' }>;
}

/** Undefined if some order explains the history, or that is undecided. */
export function unexplained(history: History, isChecked: RequirementFilter): Unexplained | undefined {
  const verdict = explain(history, isChecked);
  return verdict.kind === 'unexplained' ? { history, verdict } : undefined;
}

/**
 * Leaves out irrelevant requests: those that changed nothing. Whatever explains a history explains it without them, so a history
 * that stays unexplained was unexplained before.
 */
export function shrinkHistory(found: Unexplained, isChecked: RequirementFilter): Unexplained {
  let best = found;
  const { requirement } = found.verdict;
  for (const call of found.history.calls.toReversed()) {
    if (!isHarmless(call)) continue;
    const calls = best.history.calls.filter((one) => one !== call);
    const smaller = unexplained({ ...best.history, calls }, isChecked);
    if (smaller?.verdict.requirement === requirement) best = smaller;
  }
  return best;
}

function isHarmless({ outcome, does }: Call): boolean {
  return outcome === 'refused' || does === 'discover' || does.startsWith('retrieve');
}
