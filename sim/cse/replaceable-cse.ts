/** The CSE of an installation, whose place a new one can take: one without a past, or with that of a snapshot. */

import { restoreSnapshot, type Snapshot } from '../core/operations/snapshot.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { AssembledCse } from './assemble-cse.ts';

export type ReplaceableCse = ReturnType<typeof replaceableCse>;

export function replaceableCse(make: () => AssembledCse) {
  let current = make();
  /** Of the CSE that is there when a request comes. */
  const service: HttpService = {
    handle: (request) => current.http.handle(request),
    refuse: (error) => current.http.refuse(error),
  };
  return {
    service,
    get cse(): AssembledCse {
      return current;
    },
    /** Throws a SnapshotError, and changes nothing, for one that does not fit. */
    replace(snapshot: Snapshot | undefined): void {
      const next = make();
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
