/** The CSE of an installation, whose place a new one can take: one without a past, or with that of a snapshot. */
import type { AssembledCse } from '../assemble-cse.ts';
import type { Messenger } from '../core/configuration.ts';
import { restoreSnapshot, type Snapshot } from '../core/snapshot.ts';
import { statuses } from '../core/status.ts';
import type { HttpService } from '../dialects/http-message.ts';

/** Makes a CSE that sends what it says by itself through what `gate` makes of its messenger. */
type Assemble = (gate: (messenger: Messenger) => Messenger) => AssembledCse;

interface Current {
  readonly cse: AssembledCse;
  /** From now on it speaks to nobody. */
  readonly silence: () => void;
}

export class ReplaceableCse {
  readonly #assemble: Assemble;
  #current: Current;

  constructor(assemble: Assemble) {
    this.#assemble = assemble;
    this.#current = this.#make();
  }

  /** Of the CSE that is there when a request comes. */
  readonly service: HttpService = {
    handle: (request) => this.cse.http.handle(request),
    refuse: (error) => this.cse.http.refuse(error),
  };

  get cse(): AssembledCse {
    return this.#current.cse;
  }

  /** Throws a SnapshotError, and changes nothing, for one that does not fit. */
  replace(snapshot: Snapshot | undefined): void {
    const next = this.#make();
    if (snapshot !== undefined) restoreSnapshot(next.cse.core, snapshot);
    const former = this.#current;
    this.#current = next;
    former.silence();
    // What waits for the clock ends with the resources to which it belongs.
    const { tree } = former.cse.core;
    for (const child of [...(tree.base.children?.values() ?? [])]) tree.remove(child);
  }

  #make(): Current {
    let silent = false;
    const gate = (messenger: Messenger): Messenger => ({
      send: async (url, request) => (silent ? { status: statuses.OK } : messenger.send(url, request)),
    });
    const silence = () => {
      silent = true;
    };
    return { cse: this.#assemble(gate), silence };
  }
}
