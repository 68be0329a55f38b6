/** Delivery of notifications, shared by all queues. */

import { isUrl } from '../originator.ts';
import type { ResponsePrimitive } from '../primitive.ts';
import type { Services } from '../services.ts';
import { CseError, statuses } from '../status.ts';
import type { Trace } from '../trace-context.ts';

/** Parameters of a notification beside its content. */
interface Sending {
  readonly eventCategory?: number | undefined;
  readonly identifier?: string;
  readonly cause: Trace | undefined;
}

type DeliveryServices = Pick<Services, 'configuration' | 'ports' | 'tree' | 'maker' | 'outgoing'>;

export class NotificationDelivery {
  readonly services: DeliveryServices;
  /** Notifications that wait or are being sent. */
  waiting = 0;
  /** Notifications dropped because of a limit. */
  dropped = 0;
  #active = 0;
  #settled: Array<() => void> = [];
  /** Queues with something to send. One proceeds per turn of the event loop, so that requests keep most of it. */
  readonly #nextToSend: Array<() => void> = [];

  constructor(services: DeliveryServices) {
    this.services = services;
  }

  /** Resolves when nothing is under way, apart from what waits for the clock. */
  settled(): Promise<void> {
    return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => this.#settled.push(resolve));
  }

  /** Does the work, which counts as under way until it ends. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#active++;
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  /** Sends one at once, past all queues; the answer of the target. Rejects with a CseError when there is none. */
  forward(target: string, content: object, cause?: Trace): Promise<ResponsePrimitive> {
    return this.track(() => this.send(target, content, { cause }));
  }

  /** For use within `track`. Rejects with a CseError when no answer comes. */
  async send(
    target: string,
    content: object,
    { eventCategory, identifier, cause: trace }: Sending,
  ): Promise<ResponsePrimitive> {
    const { outgoing } = this.services;
    const polled = outgoing.isPolled(target);
    if (polled) this.#end();
    try {
      const known = identifier === undefined ? {} : { requestIdentifier: identifier };
      const ofCategory = eventCategory === undefined ? {} : { eventCategory };
      const notification = outgoing.ownRequest({ operation: 'notify', content, ...ofCategory, ...known });
      const answer = await outgoing.send(target, { ...notification, ...(trace && { trace }) });
      // A CSE on the way reports this for the target; a target that answers itself has received it, whatever the status.
      if (answer.status === statuses.TARGET_NOT_REACHABLE && !isUrl(target)) {
        throw new CseError('TARGET_NOT_REACHABLE', `${target} cannot be reached.`);
      }
      return answer;
    } finally {
      if (polled) this.#active++;
    }
  }

  /** Resolves when the next queue may send. */
  waitTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#nextToSend.push(resolve);
      if (this.#nextToSend.length === 1) void this.#admit();
    });
  }

  async #admit(): Promise<void> {
    do {
      await this.services.ports.nextTurn();
      this.#nextToSend[0]?.();
      this.#nextToSend.shift();
    } while (this.#nextToSend.length > 0);
  }

  #end(): void {
    this.#active--;
    if (this.#active > 0) return;
    const waiting = this.#settled;
    this.#settled = [];
    for (const resolve of waiting) resolve();
  }
}
