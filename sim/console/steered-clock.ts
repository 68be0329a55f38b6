/** The clock of the console: it follows the system's time, and can be paused, resumed and advanced. */

import type { ScheduleOptions, Scheduler, Task } from '../core/configuration.ts';
import { Agenda } from '../environment/agenda.ts';
import { type ManualClock, millisecondsOf, systemClock } from '../environment/clock.ts';

export class SteeredClock implements ManualClock {
  readonly #driver: Scheduler;
  readonly #agenda = new Agenda();
  #isGoing: boolean;
  #isAdvancing = false;
  #happened = 0;
  /** Its lead over the driver while it runs, and its time while it is paused. */
  #ahead = 0;
  #stoodAt: number;
  #cancel: () => void = () => {};
  /** When the driver wakes it; Infinity when it does not. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Advances run one after the other. */
  #running: Promise<void> = Promise.resolve();

  /** It follows `driver`, the system's time unless given, and runs unless `paused`. */
  constructor({
    driver = systemClock(),
    paused = false,
  }: { readonly driver?: Scheduler; readonly paused?: boolean } = {}) {
    this.#driver = driver;
    this.#isGoing = !paused;
    this.#stoodAt = driver.now();
  }

  /** Also while it is advanced: whether it runs by itself afterwards. */
  get isGoing(): boolean {
    return this.#isGoing;
  }

  now(): number {
    return this.#isRunning ? this.#driver.now() + this.#ahead : this.#stoodAt;
  }

  /** While it runs by itself, anything may happen. */
  get changeCount(): number | undefined {
    return this.#isAdvancing ? this.#happened : undefined;
  }

  /** It stands while it is advanced, so that every task sees its own moment. */
  get #isRunning(): boolean {
    return this.#isGoing && !this.#isAdvancing;
  }

  schedule(milliseconds: number, task: Task, options?: ScheduleOptions): () => void {
    const at = this.now() + Math.max(0, milliseconds) * 1000;
    const cancel = this.#agenda.add({ ...options, at, task });
    if (at < this.#wakesAt) this.#wait();
    return cancel;
  }

  /** Stops time; during an advance, from its end on. */
  pause(): void {
    this.#stoodAt = this.now();
    this.#isGoing = false;
    this.#sleep();
  }

  /** Time goes on from where it stands; during an advance, from its end on. */
  resume(): void {
    if (this.#isGoing) return;
    this.#isGoing = true;
    this.#run();
  }

  async advance(duration: number | string): Promise<void> {
    const milliseconds = millisecondsOf(duration);
    const advanced = this.#running.then(() => this.#advance(milliseconds));
    this.#running = advanced.catch(() => {});
    return advanced;
  }

  async #advance(milliseconds: number): Promise<void> {
    this.#stoodAt = this.now();
    this.#isAdvancing = true;
    this.#happened += 1;
    this.#sleep();
    const end = this.#stoodAt + milliseconds * 1000;
    try {
      const begin = (at: number) => {
        this.#stoodAt = Math.max(this.#stoodAt, at);
      };
      await this.#agenda.runUntil(end, begin, () => {
        this.#happened += 1;
      });
      this.#stoodAt = Math.max(this.#stoodAt, end);
    } finally {
      this.#isAdvancing = false;
      this.#run();
    }
  }

  /** Runs from where it stands, unless it is paused. */
  #run(): void {
    if (!this.#isRunning) return;
    this.#ahead = this.#stoodAt - this.#driver.now();
    this.#wait();
  }

  /** Wakes when the next task is due. */
  #wait(): void {
    this.#sleep();
    const { next } = this.#agenda;
    if (!this.#isRunning || next === undefined) return;
    this.#wakesAt = next;
    this.#cancel = this.#driver.schedule((next - this.now()) / 1000, () => this.#runDue());
  }

  #sleep(): void {
    this.#cancel();
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #runDue(): void {
    if (!this.#isRunning) return;
    const now = this.now();
    for (let next = this.#agenda.take(now); next !== undefined; next = this.#agenda.take(now)) void next.task();
    this.#wait();
  }
}
