/** Discovery that is asked for again and again ("Endpoints", row 12 and note 3). */
import type { Scheduler } from '../clock.ts';
import type { DiscoveryPolling } from './options.ts';
import type { Tasks } from './tasks.ts';

export interface PollOptions extends DiscoveryPolling {
  readonly clock: Scheduler;
  readonly tasks: Tasks;
  /** What exists now that was created after this time, in microseconds since 1970 UTC; all of it without one. */
  readonly discover: (createdAfter: number | undefined) => Promise<readonly string[]>;
  readonly report: (error: unknown) => void;
}

/** Microseconds. A CSE may have creation times in whole seconds, and what it creates while it answers is not in its answer. */
const overlap = 1_000_000;

/** Begins at once; returns what ends it, after which nothing is reported any more. */
export function startPolling(options: PollOptions): () => void {
  const { clock, tasks, discover, everySeconds, onFound, report } = options;
  if (!(everySeconds > 0)) throw new RangeError(`everySeconds is ${everySeconds}; it has to be more than 0`);
  let since: number | undefined;
  let former: readonly string[] = [];
  let ended = false;
  const over = () => ended || tasks.ended;
  const poll = async (): Promise<void> => {
    const now = clock.now();
    try {
      const found = await discover(since);
      if (over()) return;
      // What was created in the overlap is found twice.
      const fresh = found.filter((path) => !former.includes(path));
      [since, former] = [now - overlap, found];
      if (fresh.length > 0) await onFound(fresh);
    } catch (error) {
      // The time of the last success stays, so that the next poll asks for all that was missed.
      if (!over()) report(error);
    }
    if (!over()) cancel = tasks.later(everySeconds * 1000, poll);
  };
  let cancel = tasks.later(0, poll);
  return () => {
    ended = true;
    cancel();
  };
}
