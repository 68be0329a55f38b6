/** Most requests in so many milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly per: number;
}

/** Time, as a pace needs it; tests have their own. */
export interface PaceClock {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const realClock: PaceClock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Spaces requests evenly, so that a target never gets more of them at once than it was promised. */
export class Pace {
  readonly #gap: number;
  readonly #clock: PaceClock;
  #next = Number.NEGATIVE_INFINITY;

  constructor({ requests, per }: Rate, clock: PaceClock = realClock) {
    this.#gap = per / requests;
    this.#clock = clock;
  }

  /** Resolves when the next request may be sent; in the order in which it was asked. */
  async turn(): Promise<void> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.sleep(at - now);
  }
}
