import type { Exchange } from '../messages/exchange.ts';
import { type Clock, realClock } from './growing-pauses.ts';
import { aroundTarget, isExactBytes, type Target } from './target.ts';

/** Milliseconds of a pause that is kept; one that asks for more gets none. */
const longest = 30_000;
/** Milliseconds where a target says that there were too many requests, and not when the next may come. */
const usual = 1000;
/** So often one request is sent again. */
const mostTries = 3;
/** Milliseconds of all pauses of a run, however many requests wait for the end of one. */
const mostInAll = 300_000;

/** Keeps the pauses that a target asks for (RFC 9110 10.2.3, RFC 6585 4), so that nothing is judged by its being busy. */
export class Throttle {
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  #until = 0;
  #kept = 0;
  #asked = 0;

  constructor({ clock = realClock, signal }: { clock?: Clock | undefined; signal?: AbortSignal | undefined } = {}) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** What the user should know, as sentences. */
  notes(): string[] {
    if (this.#asked === 0) return [];
    const times = this.#asked === 1 ? 'once' : `${this.#asked} times`;
    return [`the target asked ${times} for fewer requests (429, or 503 with Retry-After). Give --rate`];
  }

  /** The same target: what it refused for a moment is sent again after that, and nothing else goes out meanwhile. */
  around(target: Target): Target {
    return aroundTarget(target, {
      send: (request, way) => this.#patiently(() => target.send(request, way)),
      sendRaw: (request, raw) =>
        isExactBytes(request) ? target.sendRaw(request, raw) : this.#patiently(() => target.sendRaw(request, raw)),
    });
  }

  async #patiently(send: () => Promise<Exchange>): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      await this.#pause();
      const exchange = await send();
      const wanted = pauseIn(exchange);
      if (wanted === undefined) return exchange;
      this.#asked += 1;
      if (tries > mostTries || wanted > longest || this.#kept + wanted > mostInAll || this.#signal?.aborted)
        return exchange;
      this.#extend(wanted);
    }
  }

  #extend(wanted: number): void {
    const now = this.#clock.now();
    const begun = Math.max(this.#until, now);
    this.#until = Math.max(begun, now + wanted);
    this.#kept += this.#until - begun;
  }

  async #pause(): Promise<void> {
    for (let left = this.#left(); left > 0 && !this.#signal?.aborted; left = this.#left())
      await this.#clock.pause(left, this.#signal);
  }

  #left(): number {
    return this.#until - this.#clock.now();
  }
}

/** Milliseconds that an answer asks for; undefined where it asks for none. */
function pauseIn({ answer }: Exchange): number | undefined {
  if (answer?.status !== 429 && answer?.status !== 503) return undefined;
  const header = (wanted: string) => answer.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const after = header('retry-after');
  if (after === undefined) return answer.status === 429 ? usual : undefined;
  if (/^\s*\d+\s*$/.test(after)) return Number(after) * 1000;
  const pause = Date.parse(after) - (Date.parse(header('date') ?? '') || Date.now());
  return Number.isNaN(pause) ? usual : Math.max(0, pause);
}
