/** Events that several writers add and one reader takes, in order. */
export class EventQueue<T> {
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
