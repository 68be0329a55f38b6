/** What was heard to what a CSE has sent. */
import type { Cse } from '../../core/cse.ts';

const replies = new WeakMap<Cse, { readonly count: number; readonly code: number }>();

export function noteReply(code: number, core: Cse): void {
  replies.set(core, { count: (replies.get(core)?.count ?? 0) + 1, code });
}

/** The code of what is heard last from now on; undefined while nothing is. */
export function replyFromNow(core: Cse): () => number | undefined {
  const before = replies.get(core)?.count;
  return () => {
    const last = replies.get(core);
    return last?.count === before ? undefined : last?.code;
  };
}
