/** The CSE of an installation, whose place a new one can take: one without a past, or with that of a snapshot. */

import type { Cse } from '../core/operations/cse.ts';
import { restoreSnapshot, type Snapshot } from '../core/operations/snapshot.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { Instruments } from '../instruments/instruments.ts';
import type { AssembledCse } from './assemble-cse.ts';

export type ReplaceableCse = ReturnType<typeof replaceableCse>;

/** What sees and changes what comes to a CSE and what it sends. */
export type ServiceWrapping = Pick<Instruments, 'wrapService' | 'wrapSender'>;

const noWrapping: ServiceWrapping = { wrapService: (service) => service, wrapSender: (sender) => sender };

/** `make` puts a CSE together that sends by what it is given: by `wayOut`, with `surroundings` around it. */
export function replaceableCse(
  make: (sender: Sender) => AssembledCse,
  outbound: Sender,
  wrapping: ServiceWrapping = noWrapping,
) {
  const { core } = {
    core(): Cse {
      return current.core;
    },
  };
  const sender = wrapping.wrapSender(outbound, core);
  let current = make(sender);
  /** Of the CSE that is there when a request comes. */
  const forwarding: HttpService = {
    handle(request) {
      return current.http.handle(request);
    },
    refuse(error) {
      return current.http.refuse(error);
    },
  };
  return {
    core,
    /** By which requests come, with everything around it. */
    service: wrapping.wrapService(forwarding, core),
    get cse(): AssembledCse {
      return current;
    },
    /** Throws a SnapshotError, and changes nothing, for one that does not fit. */
    replace(snapshot: Snapshot | undefined): void {
      const next = make(sender);
      if (snapshot !== undefined) restoreSnapshot(next.core, snapshot);
      const former = current;
      current = next;
      former.silence();
      // What waits for the clock ends with the resources to which it belongs.
      const { tree } = former.core;
      for (const child of [...(tree.base.children?.values() ?? [])]) tree.remove(child);
    },
  };
}
