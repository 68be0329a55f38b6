/**
 * Time limits that count only the time in which this process could run. A busy or suspended process has not waited: what
 * came meanwhile lies unread, and a timeout would be a false finding about the target.
 */

/** Milliseconds between two readings of the clock. */
const pause = 50;
/** Milliseconds that count at most between two readings: a little more, because timers are never quite on time. */
const most = 2 * pause;

/** Calls `expired` after so many milliseconds, unless the returned function is called before. */
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

/** The result of the work; undefined after so many milliseconds. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    stop = deadline(milliseconds, () => resolve(undefined));
  });
  return Promise.race([work, late]).finally(stop);
}

/** Waits for events of others. */
export class Waiters {
  readonly #looks = new Set<() => void>();
  #closed = false;

  /** Resolves to what `look` finds, as soon as it does; undefined after so many milliseconds, on abort, and when closed. */
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

  /** Something may have come. */
  wake(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Nothing comes any more. */
  close(): void {
    this.#closed = true;
    this.wake();
  }
}
