/** Notices what expires without waiting for a request, as long as somebody has subscribed to anything. */
import type { Services } from '../services.ts';

const microsecondsPerMillisecond = 1000;

export class ExpirationWatch {
  readonly #services: Services;
  #subscriptions = 0;
  #armedFor = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(services: Services) {
    this.#services = services;
  }

  get subscriptions(): number {
    return this.#subscriptions;
  }

  /** One subscription more. */
  add(): void {
    if (this.#subscriptions++ > 0) return;
    this.#services.tree.onEarlierExpiration = () => this.#arm();
    this.#arm();
  }

  /** One subscription less. */
  remove(): void {
    if (--this.#subscriptions > 0) return;
    this.#services.tree.onEarlierExpiration = undefined;
    this.#cancel();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    const { tree, ports } = this.#services;
    const next = tree.nextExpiration;
    if (next === undefined || next >= this.#armedFor) return;
    this.#cancel();
    this.#armedFor = next;
    const milliseconds = Math.ceil((next - ports.clock.now()) / microsecondsPerMillisecond);
    this.#cancel = ports.clock.schedule(Math.max(0, milliseconds), () => this.#look());
  }

  #look(): void {
    const { tree, ports } = this.#services;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancel = () => {};
    tree.expire(ports.clock.now());
    if (this.#subscriptions > 0) this.#arm();
  }
}
