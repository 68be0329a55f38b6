import type { Pool } from 'undici';

/** Room for one connection: kept for further requests of the same kind, or for one request that brings its own. */
export class Lane {
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
