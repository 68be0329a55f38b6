import type { Held } from './held.ts';
import type { Seen } from './observation.ts';

const mostValues = 2_000;

/** What a CSE was seen to take, so that it supports it (TS-0004 7.3.3.3: what it does not support it refuses). */
export class Taken {
  readonly #creations = new Set<string>();
  /** The latest, however long a recording is. */
  readonly #values = new Set<string>();

  /** Takes note of an accepted create or update, of what it made or changed. */
  note(
    { asked }: { readonly asked: Pick<Seen['asked'], 'operation' | 'given'> },
    { type, parent }: Pick<Held, 'type' | 'parent'>,
  ): void {
    if (asked.operation === 'create') this.#creations.add(placeOf(type, parent, asked.given ?? {}));
    for (const [name, value] of Object.entries(asked.given ?? {}))
      this.#remember(givenAs(type, asked.operation, name, value));
  }

  #remember(value: string): void {
    this.#values.delete(value);
    this.#values.add(value);
    for (const oldest of this.#values) {
      if (this.#values.size <= mostValues) return;
      this.#values.delete(oldest);
    }
  }

  /** Whether a type was created below one of this type, with attributes of the same names. */
  hasCreated(type: string, parent: Held, given: Readonly<Record<string, unknown>>): boolean {
    return this.#creations.has(placeOf(type, parent, given));
  }

  hasAll(type: string, operation: string, given: ReadonlyArray<readonly [string, unknown]>): boolean {
    return given.every(([name, value]) => this.#values.has(givenAs(type, operation, name, value)));
  }
}

function placeOf(type: string, parent: Held | undefined, given: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(given).filter((name) => name !== 'rn');
  return JSON.stringify([parent?.type ?? 'base', type, ...names.sort()]);
}

function givenAs(type: string, operation: string, name: string, value: unknown): string {
  return JSON.stringify([type, operation, name, value]);
}
