/** Chooses deviations that violate what a product violates: tried alone for likeness, and together for interaction. */
import type { DeviationFacts } from '../../sim/deviations/index.ts';

/** Violated requirements, each with its failed checks and what they saw, without names of the run. */
export type Failures = ReadonlyMap<string, ReadonlySet<string>>;

/** What a CSE with these deviations, the last one outermost, violates: of these requirements, or of all. */
export type ProfileTrial = (deviations: readonly string[], requirements?: readonly string[]) => Promise<Failures>;

export interface Fitted {
  /** By violated requirement, in the order in which they wrap a CSE. */
  readonly deviations: ReadonlyMap<string, string>;
  /** Violated by the product, but not with these. */
  readonly notImitated: readonly string[];
  /** Violated with these, but not by the product. */
  readonly beyond: readonly string[];
}

/** Whole trials at most. */
const rounds = 12;

/** Yields the result of each whole trial; returns the best. */
export async function* fit(
  violated: Failures,
  known: readonly DeviationFacts[],
  trial: ProfileTrial,
): AsyncGenerator<Fitted, Fitted> {
  const choice = new Choice(violated, known, trial);
  await choice.begin();
  let best: Fitted | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const fitted = choice.evaluate(await trial(choice.ids));
    if (best === undefined || isBetter(fitted, best)) best = fitted;
    yield fitted;
    if (!(await choice.improve(fitted))) break;
  }
  return best ?? choice.evaluate(new Map());
}

/** A violation beyond the product counts as much against it as a common one for it, and decides between equals. */
function isBetter(one: Fitted, other: Fitted): boolean {
  const scoreOf = ({ deviations, beyond }: Fitted) => deviations.size - beyond.length;
  const more = scoreOf(one) - scoreOf(other);
  return more > 0 || (more === 0 && one.beyond.length < other.beyond.length);
}

const isAbout = ({ violates, also = [] }: DeviationFacts, id: string): boolean => violates === id || also.includes(id);

/** A deviation, chosen for a requirement. */
type Assignment = readonly [id: string, by: string];

/** One deviation for each requirement, if any is known to violate it. */
class Choice {
  readonly #violated: Failures;
  readonly #trial: ProfileTrial;
  /** By requirement, first those that break nothing that the product keeps. */
  readonly #candidates: ReadonlyMap<string, readonly string[]>;
  /** By requirement, in the order in which they wrap a CSE. */
  #chosen = new Map<string, string>();
  /** Deviations that hide others, or break what the product keeps, with the requirements. */
  readonly #harm = new Map<string, Set<string>>();

  constructor(violated: Failures, known: readonly DeviationFacts[], trial: ProfileTrial) {
    this.#violated = violated;
    this.#trial = trial;
    const collateral = ({ also = [] }: DeviationFacts) => also.filter((id) => !violated.has(id)).length;
    const usable = known.filter(({ equivalent, sequencesOnly }) => equivalent === undefined && !sequencesOnly);
    const ranked = usable.toSorted((one, other) => collateral(one) - collateral(other));
    this.#candidates = new Map(
      [...violated.keys()].map((id) => [id, ranked.filter((one) => isAbout(one, id)).map((one) => one.id)]),
    );
  }

  get ids(): readonly string[] {
    return [...new Set(this.#chosen.values())];
  }

  /** Takes for each requirement the deviation that fails most like the product. */
  async begin(): Promise<void> {
    for (const id of this.#violated.keys()) {
      const candidates = this.#candidatesFor(id);
      const by = candidates.length > 1 ? await this.#mostAlike(id, candidates) : candidates[0];
      if (by !== undefined) this.#chosen.set(id, by);
    }
  }

  evaluate(seen: Failures): Fitted {
    const deviations = new Map([...this.#chosen].filter(([id]) => seen.has(id)));
    return {
      deviations,
      notImitated: [...this.#violated.keys()].filter((id) => !deviations.has(id)),
      beyond: [...seen.keys()].filter((id) => !this.#violated.has(id)),
    };
  }

  /** Whether the choice has changed. */
  async improve({ notImitated, beyond }: Fitted): Promise<boolean> {
    const before = this.ids.join();
    this.#harm.clear();
    for (const id of [...this.#chosen.keys()]) if (notImitated.includes(id)) await this.#expose(id);
    for (const id of beyond) await this.#blame(id);
    this.#leaveOut();
    return this.ids.join() !== before;
  }

  #candidatesFor(id: string): readonly string[] {
    return this.#candidates.get(id) ?? [];
  }

  /** Undefined if none is seen even alone. */
  async #mostAlike(id: string, candidates: readonly string[]): Promise<string | undefined> {
    let best: { readonly by: string; readonly alike: number } | undefined;
    for (const by of candidates) {
      const seen = (await this.#trial([by], [id])).get(id);
      if (seen === undefined) continue;
      const alike = likeness(seen, this.#violated.get(id));
      if (best === undefined || alike > best.alike) best = { by, alike };
      if (alike === 1) break;
    }
    return best?.by;
  }

  /** Takes another deviation if this one is not seen even alone; else finds the one that hides it. */
  async #expose(id: string): Promise<void> {
    const by = await this.#mostAlike(id, this.#candidatesFor(id));
    if (by === undefined) return void this.#chosen.delete(id);
    this.#chosen.set(id, by);
    const isHidden = async (others: readonly string[]) => {
      const some = this.ids.filter((one) => one === by || others.includes(one));
      return !(await this.#trial(some, [id])).has(id);
    };
    const others = this.ids.filter((one) => one !== by);
    const hider = await culpritIn(others, isHidden, [...this.#harm.keys()]);
    const hides = this.#assignmentOf(hider);
    if (hides === undefined) this.#putOutermost(id, by);
    else if (!(await this.#reconciled([id, by], hides))) this.#harmed(hides[1], id);
  }

  /** Whether both are seen in another order, or with another deviation in place of one; then they are put side by side. */
  async #reconciled([id, first]: Assignment, [hider, second]: Assignment): Promise<boolean> {
    for (const own of new Set([first, ...this.#candidatesFor(id)])) {
      for (const other of new Set([second, ...this.#candidatesFor(hider)])) {
        for (const isBefore of [false, true]) {
          const seen = await this.#trial(isBefore ? [own, other] : [other, own], [id, hider]);
          if (!seen.has(id) || !seen.has(hider)) continue;
          this.#putBeside([hider, other], [id, own], isBefore);
          return true;
        }
      }
    }
    return false;
  }

  #putBeside(one: Assignment, [id, by]: Assignment, isBefore: boolean): void {
    const pair: readonly Assignment[] = isBefore ? [[id, by], one] : [one, [id, by]];
    const others = [...this.#chosen].filter(([other]) => other !== id);
    this.#chosen = new Map(others.flatMap((other) => (other[0] === one[0] ? pair : [other])));
  }

  #putOutermost(id: string, by: string): void {
    this.#chosen.delete(id);
    this.#chosen.set(id, by);
  }

  /** The first assignment of this deviation. */
  #assignmentOf(deviation: string | undefined): Assignment | undefined {
    return [...this.#chosen].find(([, by]) => by === deviation);
  }

  /** Finds the deviation that breaks what the product keeps, and takes another that does not. */
  async #blame(id: string): Promise<void> {
    const breaks = async (some: readonly string[]) => (await this.#trial(some, [id])).has(id);
    const culprit = await culpritIn(this.ids, breaks, [...this.#harm.keys()]);
    const [requirement, before] = this.#assignmentOf(culprit) ?? [];
    if (requirement === undefined || before === undefined) return;
    for (const by of this.#candidatesFor(requirement)) {
      const seen = await this.#trial([by], [requirement, id]);
      if (seen.has(requirement) && !seen.has(id)) return void this.#chosen.set(requirement, by);
    }
    this.#harmed(before, id);
  }

  #harmed(culprit: string, id: string): void {
    this.#harm.set(culprit, (this.#harm.get(culprit) ?? new Set()).add(id));
  }

  /** Drops deviations that do as much harm as good, the most harmful first; of two that hide each other, the hidden one. */
  #leaveOut(): void {
    for (const [culprit, harmed] of [...this.#harm].sort(([, one], [, other]) => other.size - one.size)) {
      const [requirement] = this.#assignmentOf(culprit) ?? [];
      if (requirement === undefined) continue;
      const isForeign = [...harmed].some((id) => !this.#violated.has(id));
      for (const id of harmed.size > 1 || isForeign ? [requirement] : harmed) this.#chosen.delete(id);
    }
  }
}

/** The one of these that causes something, even among others; former culprits are tried first. Undefined if no single one does. */
export async function culpritIn(
  all: readonly string[],
  happens: (some: readonly string[]) => Promise<boolean>,
  suspects: readonly string[] = [],
): Promise<string | undefined> {
  for (const one of suspects) if (all.includes(one) && (await happens([one]))) return one;
  let some = all;
  while (some.length > 1) {
    const half = Math.ceil(some.length / 2);
    const first = some.slice(0, half);
    const second = some.slice(half);
    if (await happens(first)) some = first;
    else if (await happens(second)) some = second;
    else return undefined;
  }
  const [one] = some;
  return one !== undefined && (await happens([one])) ? one : undefined;
}

/** The share of failures that both have in common; from 0 to 1. */
export function likeness(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()): number {
  const all = new Set([...one, ...other]);
  return all.size === 0 ? 0 : [...one].filter((failure) => other.has(failure)).length / all.size;
}
