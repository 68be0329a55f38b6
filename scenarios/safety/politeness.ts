import type { Pool } from 'undici';
import { type Clock, realClock } from '../engine/targets/growing-pauses.ts';

/** When and over how many connections requests may go out; absent: nobody asked for a limit. */
export interface Politeness {
  readonly pace?: Pace;
  readonly lanes?: Lanes;
}

/** What a target was promised. All that is sent to it is to share this. */
export function politenessOf({
  rate,
  connections,
}: {
  readonly rate?: Rate;
  readonly connections?: number;
}): Politeness {
  return { ...(rate && { pace: new Pace(rate) }), ...(connections !== undefined && { lanes: new Lanes(connections) }) };
}

/** Most requests in so many milliseconds. */
interface Rate {
  readonly requests: number;
  readonly per: number;
}

/** Spaces requests evenly, so that a target never gets more of them at once than it was promised. */
export class Pace {
  readonly #gap: number;
  readonly #clock: Clock;
  #next = Number.NEGATIVE_INFINITY;

  constructor({ requests, per }: Rate, clock: Clock = realClock) {
    this.#gap = per / requests;
    this.#clock = clock;
  }

  /** Resolves when the next request may be sent; in the order in which it was asked. */
  async turn(): Promise<void> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.pause(at - now);
  }
}

/** Room for one connection: kept for further requests of the same kind, or for one request that brings its own. */
class Lane {
  #key: string | undefined;
  #pool: Pool | undefined;

  /** What is kept under this key, once nothing else is open. */
  async pool(key: string, open: () => Pool): Promise<Pool> {
    if (this.#key !== key || this.#pool === undefined) {
      await this.clear();
      this.#key = key;
      this.#pool = open();
    }
    return this.#pool;
  }

  /** Resolves when nothing is open here. */
  async clear(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }
}

/** Never more connections than lanes, over all the CSEs of a run, kept ones and those of raw requests together. */
export class Lanes {
  readonly #all: readonly Lane[];
  readonly #free: Lane[];
  readonly #waiting: Array<(lane: Lane) => void> = [];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, () => new Lane());
    this.#free = [...this.#all];
  }

  /** Does something in a lane as soon as one is free; first come, first served. */
  async use<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
    const lane = this.#free.pop() ?? (await new Promise<Lane>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(lane);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(lane);
      else next(lane);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((lane) => lane.clear()));
  }
}
