/** The CSE of an installation, which can be replaced by an empty one, or one from a snapshot. */

import type { Cse } from '../core/operations/cse.ts';
import { restoreSnapshot, type Snapshot } from '../core/operations/snapshot.ts';
import { forwardingTo } from '../dialects/http-message.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import type { Instruments } from '../instruments/instruments.ts';
import type { AssembledCse } from './assemble-cse.ts';

export type ReplaceableCse = ReturnType<typeof replaceableCse>;

/** Wraps the service and the sender of a CSE. */
export type ServiceWrapping = Pick<Instruments, 'wrapService' | 'wrapSender'>;

const noWrapping: ServiceWrapping = { wrapService: (service) => service, wrapSender: (sender) => sender };

/** `make` assembles a CSE with a sender: `outbound`, wrapped by `wrapping`. */
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
  return {
    core,
    /** The wrapped service. */
    service: wrapping.wrapService(
      forwardingTo(() => current.http),
      core,
    ),
    get cse(): AssembledCse {
      return current;
    },
    /** Throws a SnapshotError, and changes nothing, for a snapshot that does not fit. */
    replace(snapshot: Snapshot | undefined): void {
      const next = make(sender);
      if (snapshot !== undefined) restoreSnapshot(next.core, snapshot);
      const former = current;
      current = next;
      former.silence();
      // Scheduled tasks end with the resources that they belong to.
      const { tree } = former.core;
      for (const child of [...(tree.base.children?.values() ?? [])]) tree.remove(child);
    },
  };
}
