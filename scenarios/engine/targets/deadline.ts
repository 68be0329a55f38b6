/**
 * Time limits that count only the time in which this process could run. A process that is busy or was not given a processor has
 * not waited: what came meanwhile lies unread, and saying that nothing came would be an untrue finding about the target.
 */

/** Milliseconds between two looks at the clock. */
const pause = 50;
/** Milliseconds that count at most between two looks: a little more, because timers are never quite on time. */
const most = 2 * pause;

interface Waiting {
  left: number;
  readonly expired: () => void;
}

const waiting = new Set<Waiting>();
let timer: NodeJS.Timeout | undefined;
let looked = 0;

/** Calls `expired` after so many milliseconds, unless what it gives is called before. */
export function deadline(milliseconds: number, expired: () => void): () => void {
  const one = { left: milliseconds, expired };
  if (waiting.size === 0) looked = performance.now();
  else count();
  waiting.add(one);
  wait();
  return () => {
    waiting.delete(one);
    if (waiting.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function wait(): void {
  if (waiting.size === 0 || timer !== undefined) return;
  let soonest = pause;
  for (const { left } of waiting) soonest = Math.min(soonest, left);
  timer = setTimeout(look, soonest);
}

function look(): void {
  timer = undefined;
  count();
  for (const one of waiting) {
    if (one.left > 0) continue;
    waiting.delete(one);
    one.expired();
  }
  wait();
}

/** Takes the time since the last look from what is left to each. */
function count(): void {
  const time = performance.now();
  const passed = Math.min(time - looked, most);
  looked = time;
  for (const one of waiting) one.left -= passed;
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
    { within, signal }: { readonly within: number; readonly signal: AbortSignal },
  ): Promise<Found | undefined> {
    return new Promise((resolve) => {
      const end = (found = look()): void => {
        stop();
        signal.removeEventListener('abort', abort);
        this.#looks.delete(tried);
        resolve(found);
      };
      const tried = (): void => {
        const found = look();
        if (found !== undefined || this.#closed || signal.aborted) end(found);
      };
      const abort = () => end();
      const stop = deadline(within, abort);
      this.#looks.add(tried);
      signal.addEventListener('abort', abort, { once: true });
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
