import type { Exchange } from '../bindings/detour.ts';
import { bodyOf } from '../bindings/last-message.ts';
import type { Scheduler } from '../clock.ts';
import type { HttpResponse } from '../dialects/http-message.ts';

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

/** Pieces a second, where the rate is high enough for so many. */
const rhythm = 10;

/** The head at once, then the body at so many bytes a second. */
export function writeSlowly(answer: HttpResponse, rate: number, waits: Waits, { response, write }: Exchange): void {
  const body = bodyOf(answer);
  if (body.length === 0 || response.req.method === 'HEAD') {
    write(answer);
    return;
  }
  const piece = Math.max(1, Math.ceil(rate / rhythm));
  const writeFrom = (start: number): void => {
    if (response.destroyed) return;
    const end = Math.min(start + piece, body.length);
    response.write(body.subarray(start, end));
    if (end === body.length) response.end();
    else wait(end);
  };
  const wait = (start: number): void =>
    waits.after((Math.min(piece, body.length - start) / rate) * 1000, () => writeFrom(start));
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': String(body.length) });
  response.flushHeaders();
  wait(0);
}
