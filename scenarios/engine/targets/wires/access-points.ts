/** Where application entities are reached that say an inbox of the harness for a point of access, by what they have registered. */

import { dataOf } from '../../basics/body.ts';

export class AccessPoints {
  /** Paths of inboxes, with a slash before them, by whose they are, or what else these are called. */
  readonly #paths = new Map<string, string>();

  set(originator: string, path: string): void {
    this.#paths.set(originator, path);
  }

  pathOf(name: string): string | undefined {
    return this.#paths.get(name);
  }

  /** Takes note of what an application entity creates or updates of itself; of several points at `origin` one that is open comes first. */
  note(names: readonly string[], content: unknown, { origin, isOpen }: Harness): void {
    const { poa } = dataOf(dataOf(content)['m2m:ae']);
    if (!Array.isArray(poa)) return;
    const paths = poa.flatMap((url) => (String(url).startsWith(origin) ? String(url).slice(origin.length) : []));
    const path = paths.find(isOpen) ?? paths[0];
    for (const name of names)
      if (path === undefined) this.#paths.delete(name);
      else this.#paths.set(name, path);
  }
}

/** Where the harness listens. */
interface Harness {
  readonly origin: string;
  readonly isOpen: (path: string) => boolean;
}
