/**
 * Time limits that count only the time in which this process could run. A process that is busy or was not given a processor has
 * not waited: what came meanwhile lies unread, and saying that nothing came would be an untrue finding about the target.
 */

/** Milliseconds between two looks at the clock. */
const pause = 50;
/** Milliseconds that count at most between two looks: a little more, because timers are never quite on time. */
const most = 2 * pause;

/** Calls `expired` after so many milliseconds, unless what it gives is called before. */
export function deadline(milliseconds: number, expired: () => void): () => void {
  let left = milliseconds;
  let looked = performance.now();
  const wait = () => setTimeout(look, Math.min(pause, left));
  const look = () => {
    const time = performance.now();
    left -= Math.min(time - looked, most);
    looked = time;
    if (left <= 0) expired();
    else timer = wait();
  };
  let timer = wait();
  return () => clearTimeout(timer);
}

/** What the work comes to; undefined where that takes more than so many milliseconds. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    stop = deadline(milliseconds, () => resolve(undefined));
  });
  return Promise.race([work, late]).finally(stop);
}

/** Those who wait for something to come. */
export class Waiters {
  readonly #looks = new Set<() => void>();
  #closed = false;

  /** What `look` finds, as soon as it is there; undefined after so many milliseconds, when the signal aborts, and when it is closed. */
  wait<Found>(
    look: () => Found | undefined,
    { within, signal }: { readonly within: number; readonly signal?: AbortSignal },
  ): Promise<Found | undefined> {
    return new Promise((resolve) => {
      const end = (found = look()): void => {
        stop();
        signal?.removeEventListener('abort', abort);
        this.#looks.delete(tried);
        resolve(found);
      };
      const tried = (): void => {
        const found = look();
        if (found !== undefined || this.#closed || signal?.aborted) end(found);
      };
      const abort = () => end();
      const stop = deadline(within, abort);
      this.#looks.add(tried);
      signal?.addEventListener('abort', abort, { once: true });
      tried();
    });
  }

  /** Something has come. */
  wake(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Nothing comes any more. */
  close(): void {
    this.#closed = true;
    this.wake();
  }
}
