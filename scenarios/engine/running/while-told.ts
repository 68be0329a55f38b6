/** Work that tells events while it goes on, and ends soon after its signal is aborted. */
export type TellingWork<Event, Result> = (tell: (event: Event) => void, signal: AbortSignal) => Promise<Result>;

/**
 * Yields what the work tells, and returns what it comes to. Whenever the reader stops, or `signal` is aborted, the work is ended; then
 * `leave` removes what was created and closes what is open. It is told whether somebody interrupted.
 */
export async function* whileTold<Event, Result>(
  work: TellingWork<Event, Result>,
  leave: (interrupted: boolean) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, Result> {
  const queue = new EventQueue<Event>();
  const over = new AbortController();
  const abort = () => over.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const working = work((event) => queue.push(event), over.signal).finally(() => queue.close());
  try {
    yield* queue;
  } finally {
    over.abort();
    await working.catch(() => {});
    signal?.removeEventListener('abort', abort);
    await leave(signal?.aborted === true);
  }
  return working;
}

/** Events that several writers add and one reader takes, in order. */
class EventQueue<T> {
  #events: T[] = [];
  #closed = false;
  #wake: () => void = () => {};

  push(event: T): void {
    this.#events.push(event);
    this.#wake();
  }

  /** No event comes any more; the reader gets what is there and ends. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      yield* this.#events.splice(0);
      if (this.#events.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
