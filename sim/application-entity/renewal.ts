import type { Scheduler } from '../clock.ts';
import type { Holdings } from './holdings.ts';
import { RequestError } from './requests.ts';

/** Milliseconds to the next attempt after one that failed. */
const retryPause = 5_000;

export interface RenewalOptions {
  readonly holdings: Holdings;
  readonly tasks: Tasks;
  readonly clock: Scheduler;
  /** Called before each renewal. */
  readonly refresh: () => void;
  readonly report: (error: unknown) => void;
}

/** Keeps alive what an application holds, and makes it anew where the CSE has forgotten it. */
export class Renewal {
  readonly #options: RenewalOptions;
  #cancel: () => void = () => {};

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Half-way to the first expiration, so that one that fails can be repeated. */
  plan(): void {
    const { holdings, clock } = this.#options;
    const { firstExpiration } = holdings;
    if (firstExpiration !== undefined) this.#in(Math.max(0, (firstExpiration - clock.now()) / 2000));
  }

  #in(milliseconds: number): void {
    this.#cancel();
    this.#cancel = this.#options.tasks.later(milliseconds, () => this.#renew());
  }

  async #renew(): Promise<void> {
    const { holdings, refresh, report, tasks } = this.#options;
    try {
      refresh();
      await holdings.renew().catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        return holdings.restore();
      });
      if (!tasks.ended) this.plan();
    } catch (error) {
      report(error);
      if (!tasks.ended) this.#in(retryPause);
    }
  }
}

/** What an application does later, all of which ends with it. */
export class Tasks {
  ended = false;
  readonly #clock: Scheduler;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  /** Returns what cancels it. Nothing is begun once everything has ended. */
  later(milliseconds: number, task: () => Promise<void>): () => void {
    if (this.ended) return () => {};
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
    this.ended = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}

export const isMissing = (error: unknown): boolean => error instanceof RequestError && error.status === 404;
