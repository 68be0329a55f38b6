import { kept } from '../engine/basics/kept.ts';
import type { RuleEvidence } from '../engine/results/requirement-result.ts';
import type { RunResult } from '../engine/results/result.ts';
import type { JudgedRule } from './judge.ts';
import type { Subject } from './observation/facts.ts';
import { isSame } from './observation/held.ts';
import type { Seen } from './observation/seen.ts';

interface Known {
  exchanges: number;
  /** How many of them had the same traits, each set of which is one object. */
  readonly alike: Map<Traits, number>;
}

/** How often each requirement was held against an exchange by a rule in a run, and what the exchanges were like. */
export class Evidence {
  readonly #of = new Map<string, Known>();
  /** By what they say. */
  readonly #traits = new Map<string, Traits>();
  /** Of the exchange that was noted last: many rules judge each. */
  #last: { readonly seen: Seen; readonly traits: Traits } | undefined;

  readonly note = ({ requirement, outcome, seen, subject }: Omit<JudgedRule, 'check' | 'names'>): void => {
    if (outcome === 'unobserved') return;
    if (this.#last?.seen !== seen) this.#last = { seen, traits: this.#once(traitsOf(seen, subject)) };
    this.#count(requirement, 1, this.#last.traits);
  };

  count(requirement: string, traits: Traits): void {
    this.#count(requirement, 1, this.#once(traits));
  }

  /** Takes note of what another run looked at. */
  add(told: NonNullable<RunResult['evidence']>): void {
    for (const [requirement, { exchanges, by }] of Object.entries(told)) {
      this.#count(requirement, exchanges, this.#once([]));
      for (const [dimension, values] of Object.entries(by))
        for (const [value, count] of Object.entries(values)) {
          const { alike } = this.#knownOf(requirement);
          tally(alike, this.#once([[dimension, value]]), count);
        }
    }
  }

  /** By requirement, all in the order of their names. */
  told(): Readonly<Record<string, RuleEvidence>> {
    const told = inOrder(this.#of).map(([requirement, { exchanges, alike }]) => {
      const dimensions = inOrder(dimensionsOf(alike)).map(([dimension, values]) => {
        return [dimension, Object.fromEntries(inOrder(values))];
      });
      return [requirement, { exchanges, by: Object.fromEntries(dimensions) }];
    });
    return Object.fromEntries(told);
  }

  #count(requirement: string, exchanges: number, traits: Traits): void {
    const known = this.#knownOf(requirement);
    known.exchanges += exchanges;
    tally(known.alike, traits, exchanges);
  }

  #knownOf(requirement: string): Known {
    return kept(this.#of, requirement, () => ({ exchanges: 0, alike: new Map() }));
  }

  #once(traits: Traits): Traits {
    return kept(this.#traits, JSON.stringify(traits), () => traits);
  }
}

function dimensionsOf(alike: Known['alike']): Map<string, Map<string, number>> {
  const by = new Map<string, Map<string, number>>();
  for (const [traits, count] of alike)
    for (const [dimension, value] of traits) {
      const values = kept(by, dimension, () => new Map<string, number>());
      tally(values, value, count);
    }
  return by;
}

function tally<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** By what the exchanges of a rule differ, and how this one is. */
type Traits = ReadonlyArray<readonly [string, string]>;

function traitsOf(seen: Seen, { held, given }: Subject): Traits {
  const { asked, sender } = seen;
  const creator = asked.operation === 'create' ? seen.held?.createdBy : held?.createdBy;
  const traits: [string, string][] = [
    ['operation', asked.virtual === undefined ? asked.operation : `${asked.operation} ${asked.virtual}`],
    ['form', asked.trailingSlash ? `${asked.form}, slash` : asked.form],
    ['sender', creator === undefined ? 'nobody before' : isSame(creator, sender) ? 'its creator' : 'another'],
  ];
  const type = asked.operation === 'create' ? asked.type : held?.type;
  if (type !== undefined) traits.push(['type', type]);
  const content = given.get('con');
  if (typeof content === 'string') traits.push(['content', sizeClass(content.length, sizes)]);
  if (held !== undefined) traits.push(['children', sizeClass(held.children.length, counts)]);
  return traits;
}

const sizes = [0, 1, 16, 64, 255, 1024, 4096, 65_536];
const counts = [0, 1, 2, 3, 9, 12, 49, 99];

/** Such as `3-8`: from one bound to before the next. */
function sizeClass(size: number, bounds: readonly number[]): string {
  const from = bounds.findLast((bound) => size >= bound);
  const next = bounds.find((bound) => size < bound);
  if (next === undefined) return `${from} and more`;
  return next - 1 === from ? `${from}` : `${from}-${next - 1}`;
}

function inOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
