/** Brings notifications to their targets, never in the turn of the request that caused them. */
import type { NotificationQueue } from './notification-queue.ts';
import type { ResponsePrimitive } from './primitive.ts';
import type { Services } from './services.ts';
import { CseError } from './status.ts';

/** Notifications that are begun in one turn of the event loop, so that requests keep most of it. */
const perTurn = 2;

export interface Told {
  sent(): void;
  answered(): void;
}

export class NotificationDelivery {
  readonly #services: Services;
  #underWay = 0;
  #settled: Array<() => void> = [];
  #begun = 0;
  #turn: Promise<void> | undefined;
  #waiting = 0;
  /** Notifications that a limit has cost. */
  dropped = 0;

  constructor(services: Services) {
    this.#services = services;
  }

  enqueue(queue: NotificationQueue, content: unknown, told: Told): void {
    const { waitingNotifications, allWaitingNotifications } = this.#services.configuration.limits;
    const room = Math.max(1, allWaitingNotifications - this.#waiting + queue.length);
    const dropped = queue.push(content, Math.min(waitingNotifications, room));
    this.dropped += dropped;
    this.#waiting += 1 - dropped;
    if (!queue.busy) void this.#drain(queue, told);
  }

  /** Resolves when nothing is under way; what waits for the clock does not count. */
  settled(): Promise<void> {
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#settled.push(resolve));
  }

  /** One at once, beside all queues; the answer of the target. Rejects with a CseError when there is none. */
  async sendNow(target: string, content: unknown): Promise<ResponsePrimitive> {
    this.#underWay++;
    try {
      return await this.#send(target, content);
    } finally {
      this.#end();
    }
  }

  async #drain(queue: NotificationQueue, told: Told): Promise<void> {
    const { clock, onError } = this.#services.ports;
    queue.busy = true;
    this.#underWay++;
    const pause = await this.#work(queue, told).catch((error: unknown) => {
      onError(error);
      return 0;
    });
    queue.busy = pause > 0;
    if (pause > 0) clock.schedule(pause, () => this.#drain(queue, told));
    this.#end();
  }

  /** Sends until nothing is left, or until it is time to wait: so many milliseconds. */
  async #work(queue: NotificationQueue, told: Told): Promise<number> {
    const { clock } = this.#services.ports;
    while (queue.length > 0) {
      const wait = queue.waitForRate(clock.now());
      if (wait > 0) return wait;
      await this.#itsTurn();
      const content = queue.take();
      try {
        told.sent();
        await this.#send(queue.target, content);
      } catch (error) {
        if (!(error instanceof CseError)) throw error;
        const before = queue.length + 1;
        const pause = queue.failed(content);
        this.#waiting += queue.length - before;
        return pause;
      }
      this.#waiting--;
      told.answered();
      queue.succeeded(clock.now());
    }
    return 0;
  }

  async #itsTurn(): Promise<void> {
    do {
      this.#turn ??= this.#services.ports.nextTurn().then(() => {
        this.#begun = 0;
        this.#turn = undefined;
      });
      await this.#turn;
    } while (this.#begun >= perTurn);
    this.#begun++;
  }

  #send(target: string, content: unknown): Promise<ResponsePrimitive> {
    const { outgoing, ports, configuration } = this.#services;
    return outgoing.send(target, {
      operation: 'notify',
      from: outgoing.originator,
      requestIdentifier: ports.randomText(16),
      releaseVersionIndicator: configuration.releases.at(-1) ?? '3',
      content,
    });
  }

  #end(): void {
    this.#underWay--;
    if (this.#underWay > 0) return;
    const waiting = this.#settled;
    this.#settled = [];
    for (const resolve of waiting) resolve();
  }
}
