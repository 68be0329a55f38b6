/** Notices what expires without waiting for a request, as long as somebody has subscribed to anything. */
import type { Services } from './services.ts';

const microsecondsPerMillisecond = 1000;
/** Milliseconds; a timer that would wait longer is set anew then. */
const longestWait = 24 * 3600 * 1000;

export class ExpirationWatch {
  readonly #services: Services;
  #subscriptions = 0;
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(services: Services) {
    this.#services = services;
  }

  add(): void {
    this.#subscriptions++;
    this.arm();
  }

  remove(): void {
    this.#subscriptions--;
    if (this.#subscriptions > 0) return;
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  /** Sees to it that the next expiration is noticed; cheap when it is already. */
  arm(): void {
    const { tree, ports } = this.#services;
    const next = tree.nextExpiration;
    if (next === undefined || next >= this.#armedFor || this.#subscriptions === 0) return;
    this.#cancel();
    this.#armedFor = next;
    const milliseconds = Math.ceil((next - ports.clock.now()) / microsecondsPerMillisecond);
    this.#cancel = ports.clock.schedule(Math.min(Math.max(0, milliseconds), longestWait), () => this.#look());
  }

  #look(): void {
    const { tree, ports } = this.#services;
    this.#armedFor = Number.POSITIVE_INFINITY;
    tree.expire(ports.clock.now());
    this.arm();
  }
}
