/** The inboxes that application entities have registered as their points of access. */

import { dataOf } from '../../basics/body.ts';

export class AccessPoints {
  /** Paths of inboxes, with a leading slash, by originators and other names of their application entities. */
  readonly #paths = new Map<string, string>();

  set(originator: string, path: string): void {
    this.#paths.set(originator, path);
  }

  pathOf(name: string): string | undefined {
    return this.#paths.get(name);
  }

  /** Records the points of access in a created or updated application entity; of several at `origin` an open one comes first. */
  note(names: readonly string[], content: unknown, origin: string, isOpen: (path: string) => boolean): void {
    const { poa } = dataOf(dataOf(content)['m2m:ae']);
    if (!Array.isArray(poa)) return;
    const paths = poa.flatMap((url) => (String(url).startsWith(origin) ? String(url).slice(origin.length) : []));
    const path = paths.find(isOpen) ?? paths[0];
    for (const name of names)
      if (path === undefined) this.#paths.delete(name);
      else this.#paths.set(name, path);
  }
}
