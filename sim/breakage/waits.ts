import type { Scheduler } from '../clock.ts';

/** What is to happen later, by a clock that a test may move. */
export class Waits {
  readonly #clock: Scheduler;
  readonly #pending = new Map<() => void, () => void>();
  #ended = false;

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  /** At once where there is nothing to wait for. */
  after(milliseconds: number, task: () => void): void {
    if (milliseconds <= 0 || this.#ended) {
      task();
      return;
    }
    const due = (): void => {
      this.#pending.delete(due);
      task();
    };
    this.#pending.set(due, this.#clock.schedule(milliseconds, due));
  }

  /** Everything that waits happens now, and from now on nothing waits. */
  end(): void {
    this.#ended = true;
    for (const [due, cancel] of [...this.#pending]) {
      cancel();
      due();
    }
  }
}
