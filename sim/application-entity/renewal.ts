import type { Scheduler } from '../clock.ts';
import type { Holdings } from './holdings.ts';
import type { Tasks } from './tasks.ts';

/** Seconds between two renewals at least, whatever expiration times the CSE answers. */
const shortestPause = 1;
/** Seconds; the pauses after failures double up to this. */
const longestRetryPause = 60;

export interface RenewalOptions {
  readonly holdings: Holdings;
  readonly tasks: Tasks;
  readonly clock: Scheduler;
  readonly report: (error: unknown) => void;
}

/** Keeps alive what an application holds, and makes it anew where the CSE has forgotten it. */
export class Renewal {
  readonly #options: RenewalOptions;
  #cancel: () => void = () => {};
  #failures = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Half-way to the first expiration, so that one that fails can be repeated, and never at once. */
  plan(): void {
    const { holdings, clock } = this.#options;
    const { firstDue } = holdings;
    if (firstDue === undefined) return;
    this.#in(Math.max(shortestPause, (firstDue - clock.now()) / 1_000_000));
  }

  /** Resolves when what is under way has come to its end; the tasks have to have ended. */
  async end(): Promise<void> {
    await this.#underWay;
  }

  #in(seconds: number): void {
    this.#cancel();
    this.#cancel = this.#options.tasks.later(seconds * 1000, () => {
      this.#underWay = this.#renew();
      return this.#underWay;
    });
  }

  async #renew(): Promise<void> {
    const { holdings, clock, report, tasks } = this.#options;
    try {
      await holdings.renew(clock.now() + shortestPause * 1_000_000);
      this.#failures = 0;
      this.plan();
    } catch (error) {
      if (tasks.ended) return;
      report(error);
      this.#in(Math.min(longestRetryPause, 2 ** this.#failures++));
    }
  }
}
