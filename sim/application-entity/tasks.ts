import type { Scheduler } from '../environment/clock.ts';
import type { DiscoveryPolling } from './options.ts';
import type { OwnResources } from './own-resources.ts';

export type Tasks = ReturnType<typeof tasksBy>;

/** Scheduled tasks of an application, which end with it. `report` is called with failures in the background. */
export function tasksBy(clock: Scheduler, report: (error: unknown) => void) {
  const over = new AbortController();
  return {
    ...{ clock, report, end: () => over.abort() },
    get ended(): boolean {
      return over.signal.aborted;
    },
    /** Returns a function that cancels it. Nothing starts after the end. */
    later(milliseconds: number, task: () => Promise<void>): () => void {
      if (over.signal.aborted) return () => {};
      const stop = clock.schedule(milliseconds, () => {
        over.signal.removeEventListener('abort', cancel);
        return task();
      });
      const cancel = (): void => {
        over.signal.removeEventListener('abort', cancel);
        stop();
      };
      over.signal.addEventListener('abort', cancel);
      return cancel;
    },
  };
}

// Polled discovery ("Endpoints", row 12 and note 3).

/** Microseconds. A CSE may have creation times in whole seconds, and what it creates while it answers is not in its answer. */
const overlap = 1_000_000;

/**
 * Starts at once; returns a function that ends it, after which nothing is reported. `discover` resolves to what was created after a time,
 * in microseconds since 1970 UTC, and to everything without one.
 */
export function startPolling(
  tasks: Tasks,
  { everySeconds, onFound }: DiscoveryPolling,
  discover: (createdAfter: number | undefined) => Promise<readonly string[]>,
): () => void {
  if (!(everySeconds > 0)) throw new RangeError(`everySeconds is ${everySeconds}; it has to be more than 0`);
  let since: number | undefined;
  let former: readonly string[] = [];
  let ended = false;
  const over = () => ended || tasks.ended;
  const poll = async (): Promise<void> => {
    const now = tasks.clock.now();
    try {
      const found = await discover(since);
      if (over()) return;
      // What was created in the overlap is found twice.
      const fresh = found.filter((path) => !former.includes(path));
      [since, former] = [now - overlap, found];
      if (fresh.length > 0) await onFound(fresh);
    } catch (error) {
      // The time of the last success stays, so that the next poll covers what was missed.
      if (!over()) tasks.report(error);
    }
    if (!over()) cancel = tasks.later(everySeconds * 1000, poll);
  };
  let cancel = tasks.later(0, poll);
  return () => {
    ended = true;
    cancel();
  };
}

/** Seconds between two renewals at least, whatever expiration times the CSE answers. */
const shortestPause = 1;
/** Seconds; the pauses after failures double up to this. */
const longestRetryPause = 60;

/** Renews the resources of an application, and creates them anew where the CSE has lost them. */
export class Renewal {
  readonly #resources: OwnResources;
  readonly #tasks: Tasks;
  #cancel: () => void = () => {};
  #failures = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(resources: OwnResources, tasks: Tasks) {
    this.#resources = resources;
    this.#tasks = tasks;
  }

  /** Half-way to the first expiration, so that a failed renewal can be retried, and never at once. */
  plan(): void {
    const { firstDue } = this.#resources;
    if (firstDue === undefined) return;
    this.#in(Math.max(shortestPause, (firstDue - this.#tasks.clock.now()) / 1_000_000));
  }

  /** Resolves when the renewal under way has ended; the tasks must have ended before. */
  async end(): Promise<void> {
    await this.#underWay;
  }

  #in(seconds: number): void {
    this.#cancel();
    this.#cancel = this.#tasks.later(seconds * 1000, () => {
      this.#underWay = this.#renew();
      return this.#underWay;
    });
  }

  async #renew(): Promise<void> {
    const { clock, report } = this.#tasks;
    try {
      await this.#resources.renew(clock.now() + shortestPause * 1_000_000);
      this.#failures = 0;
      this.plan();
    } catch (error) {
      if (this.#tasks.ended) return;
      report(error);
      this.#in(Math.min(longestRetryPause, 2 ** this.#failures++));
    }
  }
}
