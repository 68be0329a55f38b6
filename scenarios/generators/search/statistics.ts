import type { AttemptFacts } from '../moves/move.ts';

/** How often each name occurred, by field. */
export type Numbers<Field extends string> = Readonly<Record<Field, Readonly<Record<string, number>>>>;

/** What was exercised, and how often; `requirements`: checks of each. */
export type Exercised = Numbers<'operations' | 'kinds' | 'forms' | 'requirements'>;

/** How often each name occurred, in several fields. */
export class Counts<Field extends string> {
  readonly #fields: ReadonlyMap<Field, Map<string, number>>;

  constructor(fields: readonly Field[]) {
    this.#fields = new Map(fields.map((field) => [field, new Map()]));
  }

  count(field: Field, name: string, by = 1): void {
    const counts = this.#fields.get(field);
    counts?.set(name, (counts.get(name) ?? 0) + by);
  }

  addAll(numbers: Numbers<Field>): void {
    for (const field of this.#fields.keys())
      for (const [name, number] of Object.entries(numbers[field])) this.count(field, name, number);
  }

  /** The most frequent first. */
  exercised(): Numbers<Field> {
    const fields = [...this.#fields].map(([field, counts]) => {
      return [field, Object.fromEntries([...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)))];
    });
    return Object.fromEntries(fields) as Numbers<Field>;
  }
}

export class Statistics extends Counts<keyof Exercised> {
  sequences = 0;
  scenarios = 0;
  /** Requests, except clean-up. */
  steps = 0;

  constructor() {
    super(['operations', 'kinds', 'forms', 'requirements']);
  }

  sent({ operation, type, form }: AttemptFacts): void {
    this.steps += 1;
    this.count('operations', operation);
    if (type !== undefined) this.count('kinds', type);
    if (form !== undefined) this.count('forms', form);
  }

  checked(requirement: string): void {
    this.count('requirements', requirement);
  }

  /** What another process counted. */
  add(sequences: number, steps: number, exercised: Exercised): void {
    this.sequences += sequences;
    this.steps += steps;
    this.addAll(exercised);
  }
}
