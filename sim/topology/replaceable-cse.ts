/** The CSE of an installation, whose place a new one can take: one without a past, or with that of a snapshot. */
import type { AssembledCse } from '../assemble-cse.ts';
import { restoreSnapshot, type Snapshot } from '../core/snapshot.ts';
import type { HttpService } from '../dialects/http-message.ts';

export class ReplaceableCse {
  readonly #assemble: () => AssembledCse;
  #current: AssembledCse;

  constructor(assemble: () => AssembledCse) {
    this.#assemble = assemble;
    this.#current = assemble();
  }

  /** Of the CSE that is there when a request comes. */
  readonly service: HttpService = {
    handle: (request) => this.cse.http.handle(request),
    refuse: (error) => this.cse.http.refuse(error),
  };

  get cse(): AssembledCse {
    return this.#current;
  }

  /** Throws a SnapshotError, and changes nothing, for one that does not fit. */
  replace(snapshot: Snapshot | undefined): void {
    const next = this.#assemble();
    if (snapshot !== undefined) restoreSnapshot(next.core, snapshot);
    const former = this.#current;
    this.#current = next;
    former.silence();
    // What waits for the clock ends with the resources to which it belongs.
    const { tree } = former.core;
    for (const child of [...(tree.base.children?.values() ?? [])]) tree.remove(child);
  }
}
