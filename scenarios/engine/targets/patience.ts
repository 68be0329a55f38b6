import { inTime } from './deadline.ts';

/** A gateway did not register at its backend, so that nothing can be installed that needs both. */
export class UnregisteredError extends Error {
  override readonly name = 'UnregisteredError';
}

/** Milliseconds within which a gateway with a fault has to register. A sound one needs some tens of them. */
const usualLimit = 5000;

/** Waits for pairs. A fault can keep a gateway from ever registering: where one has not, no other is waited for. */
export class Patience {
  readonly #limited: boolean;
  readonly #limit: number;
  #hopeless = false;

  /** `limit` in milliseconds. Without faults there is none: a pair that does not come about is a defect to be seen. */
  constructor(limited: boolean, limit: number = usualLimit) {
    this.#limited = limited;
    this.#limit = limit;
  }

  /** What `start` gives, or an UnregisteredError; what comes too late is closed. */
  async for<T extends { close(): Promise<void> }>(start: () => Promise<T>): Promise<T> {
    if (!this.#limited) return start();
    if (this.#hopeless) throw never();
    const starting = start();
    const first = await inTime(starting, this.#limit);
    if (first !== undefined) return first;
    this.#hopeless = true;
    starting.then((late) => late.close()).catch(() => {});
    throw never();
  }
}

function never(): UnregisteredError {
  return new UnregisteredError('the gateway does not register at its backend');
}
