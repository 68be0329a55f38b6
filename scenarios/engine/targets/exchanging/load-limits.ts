import type { Pool } from 'undici';
import { headerOf } from '../../basics/body.ts';
import { isExactBytes, type Target } from '../../messages/target.ts';
import type { Exchange } from '../../results/exchange.ts';
import { type PauseClock, type PauseOptions, realClock } from './clocks.ts';

/** Limits of the rate and the connections of requests; absent: no limit. */
export interface LoadLimits {
  readonly pace?: Pace;
  readonly slots?: ConnectionSlots;
}

/** The limits for a target, shared by all its requests. */
export function limitsOf({ rate, connections }: { readonly rate?: Rate; readonly connections?: number }): LoadLimits {
  return {
    ...(rate && { pace: new Pace(rate) }),
    ...(connections !== undefined && { slots: new ConnectionSlots(connections) }),
  };
}

/** The most requests in so many milliseconds. */
interface Rate {
  readonly requests: number;
  readonly per: number;
}

/** Spaces requests evenly, so that the rate is never exceeded. */
export class Pace {
  readonly #gap: number;
  readonly #clock: PauseClock;
  #next = Number.NEGATIVE_INFINITY;

  constructor({ requests, per }: Rate, clock: PauseClock = realClock) {
    this.#gap = per / requests;
    this.#clock = clock;
  }

  /** Resolves when the next request may be sent; first come, first served. */
  async turn(): Promise<void> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await this.#clock.pause(at - now);
  }
}

/** Room for one connection: kept for similar requests, or used by one request with a connection of its own. */
class ConnectionSlot {
  #key: string | undefined;
  #pool: Pool | undefined;

  /** The kept connection of this key, once nothing else is open. */
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

/** Never more connections than slots, over all the CSEs of a run, kept ones and those of raw requests together. */
export class ConnectionSlots {
  readonly #all: readonly ConnectionSlot[];
  readonly #free: ConnectionSlot[];
  readonly #waiting: Array<(slot: ConnectionSlot) => void> = [];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, () => new ConnectionSlot());
    this.#free = [...this.#all];
  }

  /** Does work in a slot as soon as one is free; first come, first served. */
  async use<T>(work: (slot: ConnectionSlot) => Promise<T>): Promise<T> {
    const slot = this.#free.pop() ?? (await new Promise<ConnectionSlot>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(slot);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(slot);
      else next(slot);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((slot) => slot.clear()));
  }
}

/** Does work as soon as there is room: in a slot, if there are any. */
export const inSlot = <T>({ slots }: LoadLimits, work: (slot?: ConnectionSlot) => Promise<T>): Promise<T> =>
  slots === undefined ? work() : slots.use(work);

/** Milliseconds of the longest pause; a longer one is not kept at all. */
const longest = 30_000;
/** Milliseconds of a pause where a target names none. */
const usual = 1000;
/** Retries of one request. */
const mostTries = 3;
/** Milliseconds of all pauses of a run; a pause counts once for all waiting requests. */
const mostInAll = 300_000;

/** Keeps the pauses that a target asks for (RFC 9110 10.2.3, RFC 6585 4), so that load is not taken for a deviation. */
export class Throttle {
  readonly #clock: PauseClock;
  readonly #signal: AbortSignal | undefined;
  #until = 0;
  #waited = 0;
  #pauses = 0;

  constructor({ clock = realClock, signal }: PauseOptions = {}) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Notes for the user, as sentences. */
  notes(): string[] {
    if (this.#pauses === 0) return [];
    const times = this.#pauses === 1 ? 'once' : `${this.#pauses} times`;
    return [`the target asked ${times} for fewer requests (429, or 503 with Retry-After). Give --rate`];
  }

  /** Retries requests after the pause that the target asked for; nothing else is sent meanwhile. */
  wrap(target: Target): Target {
    const send: Target['send'] = (request, way) =>
      isExactBytes(request) ? target.send(request, way) : this.#sendWithRetries(() => target.send(request, way));
    return { ...target, send };
  }

  async #sendWithRetries(send: () => Promise<Exchange>): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      await this.#pause();
      const exchange = await send();
      const requested = pauseIn(exchange);
      if (requested === undefined) return exchange;
      this.#pauses += 1;
      if (tries > mostTries || requested > longest || this.#waited + requested > mostInAll || this.#signal?.aborted)
        return exchange;
      this.#extend(requested);
    }
  }

  #extend(requested: number): void {
    const now = this.#clock.now();
    const begun = Math.max(this.#until, now);
    this.#until = Math.max(begun, now + requested);
    this.#waited += this.#until - begun;
  }

  async #pause(): Promise<void> {
    for (let left = this.#left(); left > 0 && !this.#signal?.aborted; left = this.#left())
      await this.#clock.pause(left, this.#signal);
  }

  #left(): number {
    return this.#until - this.#clock.now();
  }
}

/** Milliseconds of the requested pause; undefined where there is none. */
function pauseIn({ answer }: Exchange): number | undefined {
  if (answer?.status !== 429 && answer?.status !== 503) return undefined;
  const after = headerOf(answer.headers, 'retry-after');
  if (after === undefined) return answer.status === 429 ? usual : undefined;
  if (/^\s*\d+\s*$/.test(after)) return Number(after) * 1000;
  const pause = Date.parse(after) - (Date.parse(headerOf(answer.headers, 'date') ?? '') || Date.now());
  return Number.isNaN(pause) ? usual : Math.max(0, pause);
}
