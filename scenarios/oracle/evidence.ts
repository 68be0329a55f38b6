import { getOrAdd } from '../engine/basics/memoize.ts';
import type { RuleEvidence } from '../engine/results/requirement-result.ts';
import type { RunResult } from '../engine/results/result.ts';
import type { CheckedRule } from './judge.ts';
import type { Subject } from './observation/facts.ts';
import { isSame } from './observation/known-resource.ts';
import type { SeenExchange } from './observation/seen-exchange.ts';

interface RequirementCount {
  exchanges: number;
  /** Exchanges by their traits; equal traits are the same object. */
  readonly byTraits: Map<Traits, number>;
}

/** Counts how often the rules of a run checked each requirement, and the traits of the exchanges. */
export class Evidence {
  readonly #of = new Map<string, RequirementCount>();
  /** By their JSON. */
  readonly #traits = new Map<string, Traits>();
  /** Of the last exchange: many rules check the same one. */
  #last: { readonly seen: SeenExchange; readonly traits: Traits } | undefined;

  readonly note = ({ requirement, outcome, seen, subject }: Omit<CheckedRule, 'check' | 'names'>): void => {
    if (outcome === 'unobserved') return;
    if (this.#last?.seen !== seen) this.#last = { seen, traits: this.#once(traitsOf(seen, subject)) };
    this.#count(requirement, 1, this.#last.traits);
  };

  count(requirement: string, traits: Traits): void {
    this.#count(requirement, 1, this.#once(traits));
  }

  /** Adds the evidence of another run. */
  add(report: NonNullable<RunResult['evidence']>): void {
    for (const [requirement, { exchanges, by }] of Object.entries(report)) {
      this.#count(requirement, exchanges, this.#once([]));
      for (const [dimension, values] of Object.entries(by))
        for (const [value, count] of Object.entries(values)) {
          const { byTraits } = this.#knownOf(requirement);
          tally(byTraits, this.#once([[dimension, value]]), count);
        }
    }
  }

  /** By requirement, sorted by name. */
  report(): Readonly<Record<string, RuleEvidence>> {
    const report = inOrder(this.#of).map(([requirement, { exchanges, byTraits }]) => {
      const dimensions = inOrder(dimensionsOf(byTraits)).map(([dimension, values]) => {
        return [dimension, Object.fromEntries(inOrder(values))];
      });
      return [requirement, { exchanges, by: Object.fromEntries(dimensions) }];
    });
    return Object.fromEntries(report);
  }

  #count(requirement: string, exchanges: number, traits: Traits): void {
    const known = this.#knownOf(requirement);
    known.exchanges += exchanges;
    tally(known.byTraits, traits, exchanges);
  }

  #knownOf(requirement: string): RequirementCount {
    return getOrAdd(this.#of, requirement, () => ({ exchanges: 0, byTraits: new Map() }));
  }

  #once(traits: Traits): Traits {
    return getOrAdd(this.#traits, JSON.stringify(traits), () => traits);
  }
}

function dimensionsOf(byTraits: RequirementCount['byTraits']): Map<string, Map<string, number>> {
  const by = new Map<string, Map<string, number>>();
  for (const [traits, count] of byTraits)
    for (const [dimension, value] of traits) {
      const values = getOrAdd(by, dimension, () => new Map<string, number>());
      tally(values, value, count);
    }
  return by;
}

function tally<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Dimensions in which the exchanges of a rule differ, with their values. */
type Traits = ReadonlyArray<readonly [string, string]>;

function traitsOf(seen: SeenExchange, { resource, requested }: Subject): Traits {
  const { request, sender } = seen;
  const creator = request.operation === 'create' ? seen.resource?.createdBy : resource?.createdBy;
  const traits: [string, string][] = [
    ['operation', request.virtual === undefined ? request.operation : `${request.operation} ${request.virtual}`],
    ['form', request.trailingSlash ? `${request.form}, slash` : request.form],
    ['sender', creator === undefined ? 'nobody before' : isSame(creator, sender) ? 'its creator' : 'another'],
  ];
  const type = request.operation === 'create' ? request.type : resource?.type;
  if (type !== undefined) traits.push(['type', type]);
  const content = requested.get('con');
  if (typeof content === 'string') traits.push(['content', sizeClass(content.length, sizes)]);
  if (resource !== undefined) traits.push(['children', sizeClass(resource.children.length, counts)]);
  return traits;
}

const sizes = [0, 1, 16, 64, 255, 1024, 4096, 65_536];
const counts = [0, 1, 2, 3, 9, 12, 49, 99];

/** A range between two bounds, such as `3-8`. */
function sizeClass(size: number, bounds: readonly number[]): string {
  const from = bounds.findLast((bound) => size >= bound);
  const next = bounds.find((bound) => size < bound);
  if (next === undefined) return `${from} and more`;
  return next - 1 === from ? `${from}` : `${from}-${next - 1}`;
}

function inOrder<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
