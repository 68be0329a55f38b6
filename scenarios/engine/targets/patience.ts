import { setTimeout as delay } from 'node:timers/promises';

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
    const enough = new AbortController();
    const wait = this.#wait(enough.signal);
    const first = await Promise.race([starting, wait]).finally(() => enough.abort());
    if (first !== undefined) return first;
    this.#hopeless = true;
    starting.then((late) => late.close()).catch(() => {});
    throw never();
  }

  /** In short pieces, each of which takes the longer the more the machine has to do. */
  async #wait(signal: AbortSignal): Promise<undefined> {
    for (let passed = 0; passed < this.#limit && !signal.aborted; passed += piece)
      await delay(piece, undefined, { signal }).catch(() => undefined);
  }
}

/** Milliseconds. */
const piece = 20;

function never(): UnregisteredError {
  return new UnregisteredError('the gateway does not register at its backend');
}
