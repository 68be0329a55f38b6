/** What was exercised, and how often. */
export interface Exercised {
  readonly operations: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly forms: Readonly<Record<string, number>>;
  /** Checks by requirement. */
  readonly requirements: Readonly<Record<string, number>>;
}

/** What a request did, of which kind and by which form of address, in the words of its dialect. */
interface About {
  readonly operation: string;
  readonly kind?: string;
  readonly form?: string;
}

export class Statistics {
  sequences = 0;
  /** Requests, without those that clean up. */
  steps = 0;
  readonly #operations = new Map<string, Count>();
  readonly #kinds = new Map<string, Count>();
  readonly #forms = new Map<string, Count>();
  readonly #requirements = new Map<string, Count>();

  sent({ operation, kind, form }: About): void {
    this.steps += 1;
    count(this.#operations, operation);
    if (kind !== undefined) count(this.#kinds, kind);
    if (form !== undefined) count(this.#forms, form);
  }

  judged(requirement: string): void {
    count(this.#requirements, requirement);
  }

  /** What another process counted. */
  add(sequences: number, steps: number, { operations, kinds, forms, requirements }: Exercised): void {
    this.sequences += sequences;
    this.steps += steps;
    addTo(this.#operations, operations);
    addTo(this.#kinds, kinds);
    addTo(this.#forms, forms);
    addTo(this.#requirements, requirements);
  }

  exercised(): Exercised {
    return {
      operations: ordered(this.#operations),
      kinds: ordered(this.#kinds),
      forms: ordered(this.#forms),
      requirements: ordered(this.#requirements),
    };
  }
}

interface Count {
  number: number;
}

function count(counts: Map<string, Count>, name: string, by = 1): void {
  const known = counts.get(name);
  if (known === undefined) counts.set(name, { number: by });
  else known.number += by;
}

function addTo(counts: Map<string, Count>, numbers: Readonly<Record<string, number>>): void {
  for (const [name, number] of Object.entries(numbers)) count(counts, name, number);
}

/** The most frequent first. */
function ordered(counts: ReadonlyMap<string, Count>): Record<string, number> {
  const numbers = [...counts].map(([name, { number }]) => [name, number] as const);
  return Object.fromEntries(numbers.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}
