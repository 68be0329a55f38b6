import type { Held } from './held.ts';
import type { Seen } from './seen.ts';

const mostValues = 2_000;

type Given = Readonly<Record<string, unknown>>;

/** What a CSE was seen to take, so that it supports it (TS-0004 7.3.3.3: what it does not support it refuses). A type is told by its root. */
export class Taken {
  readonly #creations = new Set<string>();
  readonly #values = new Set<string>();

  /** Takes note of an accepted create or update, of what it made or changed. */
  note(
    { asked }: { readonly asked: Pick<Seen['asked'], 'operation' | 'root' | 'given'> },
    { type, parent }: Pick<Held, 'type' | 'parent'>,
  ): void {
    const { operation, root = type, given = {} } = asked;
    if (operation === 'create') remember(this.#creations, createdAs(root, parent, given));
    for (const [name, value] of Object.entries(given)) remember(this.#values, givenAs(root, operation, name, value));
  }

  /** Whether it was created below one of this type, by whatever name, with the same attributes: each may be taken without the others only. */
  hasCreated(root: string | undefined, parent: Held, given: Given): boolean {
    return this.#creations.has(createdAs(root, parent, given));
  }

  hasAll(root: string | undefined, operation: string, given: ReadonlyArray<readonly [string, unknown]>): boolean {
    return given.every(([name, value]) => this.#values.has(givenAs(root, operation, name, value)));
  }
}

/** The latest, however long a recording is. */
function remember(values: Set<string>, value: string): void {
  values.delete(value);
  values.add(value);
  for (const oldest of values) {
    if (values.size <= mostValues) return;
    values.delete(oldest);
  }
}

function createdAs(root: string | undefined, parent: Held | undefined, { rn: _rn, ...given }: Given): string {
  return JSON.stringify([parent?.type ?? 'base', root, ...Object.entries(given).sort()]);
}

function givenAs(root: string | undefined, operation: string, name: string, value: unknown): string {
  return JSON.stringify([root, operation, name, value]);
}
