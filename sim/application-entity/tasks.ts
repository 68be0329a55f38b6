import type { Scheduler } from '../clock.ts';

/** What an application does later, all of which ends with it. */
export class Tasks {
  #ended = false;
  readonly #clock: Scheduler;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Returns what cancels it. Nothing is begun once everything has ended. */
  later(milliseconds: number, task: () => Promise<void>): () => void {
    if (this.#ended) return () => {};
    const stop = this.#clock.schedule(milliseconds, () => {
      this.#cancels.delete(stop);
      return task();
    });
    this.#cancels.add(stop);
    return () => {
      stop();
      this.#cancels.delete(stop);
    };
  }

  end(): void {
    this.#ended = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
