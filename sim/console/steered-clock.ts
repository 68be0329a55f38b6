/** A clock for those who watch: it goes with the system's time, can be stopped, set going again, and moved forward. */

import { noEffect, type Scheduler, type Task } from '../core/configuration.ts';
import { type DueTask, firstUntil, type ManualClock, millisecondsOf, systemClock } from '../environment/clock.ts';

export class SteeredClock implements ManualClock {
  readonly #driver: Scheduler;
  readonly #due = new Set<DueTask>();
  #isGoing: boolean;
  #isAdvancing = false;
  #happened = 0;
  /** What it shows beyond the driver while it goes, and what it shows while it stands. */
  #ahead = 0;
  #stoodAt: number;
  #cancel: () => void = () => {};
  /** When the driver wakes it; Infinity when it does not. */
  #wakesAt = Number.POSITIVE_INFINITY;
  /** Tasks run one after the other, whoever set them going. */
  #running: Promise<void> = Promise.resolve();

  /** It goes with `driver`, the system's time unless given, from the beginning unless it is to stand. */
  constructor({
    driver = systemClock(),
    paused = false,
  }: { readonly driver?: Scheduler; readonly paused?: boolean } = {}) {
    this.#driver = driver;
    this.#isGoing = !paused;
    this.#stoodAt = driver.now();
  }

  /** Also while it is moved forward: whether it goes on by itself then. */
  get isGoing(): boolean {
    return this.#isGoing;
  }

  now(): number {
    return this.#isRunning ? this.#driver.now() + this.#ahead : this.#stoodAt;
  }

  /** While it goes by itself, anything may happen. */
  get changeCount(): number | undefined {
    return this.#isAdvancing ? this.#happened : undefined;
  }

  /** It stands while it is moved, so that every task sees the moment for which it was made. */
  get #isRunning(): boolean {
    return this.#isGoing && !this.#isAdvancing;
  }

  schedule(milliseconds: number, task: Task): () => void {
    const entry = { at: this.now() + Math.max(0, milliseconds) * 1000, task };
    this.#due.add(entry);
    if (entry.at < this.#wakesAt) this.#wait();
    return () => this.#due.delete(entry);
  }

  /** Time stands still; where it is moved forward at the moment, from the end of that on. */
  pause(): void {
    this.#stoodAt = this.now();
    this.#isGoing = false;
    this.#sleep();
  }

  /** Time goes on from where it stands; where it is moved forward at the moment, from the end of that on. */
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
      for (let next = firstUntil(end, this.#due); next !== undefined; next = firstUntil(end, this.#due)) {
        this.#due.delete(next);
        this.#stoodAt = Math.max(this.#stoodAt, next.at);
        if ((await next.task()) !== noEffect) this.#happened += 1;
      }
      this.#stoodAt = Math.max(this.#stoodAt, end);
    } finally {
      this.#isAdvancing = false;
      this.#run();
    }
  }

  /** From where it stands, if it is to go. */
  #run(): void {
    if (!this.#isRunning) return;
    this.#ahead = this.#stoodAt - this.#driver.now();
    this.#wait();
  }

  /** Wakes when the next task is due. */
  #wait(): void {
    this.#sleep();
    const next = firstUntil(Number.POSITIVE_INFINITY, this.#due);
    if (!this.#isRunning || next === undefined) return;
    this.#wakesAt = next.at;
    this.#cancel = this.#driver.schedule((next.at - this.now()) / 1000, () => this.#runDue());
  }

  #sleep(): void {
    this.#cancel();
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #runDue(): void {
    if (!this.#isRunning) return;
    const now = this.now();
    for (let next = firstUntil(now, this.#due); next !== undefined; next = firstUntil(now, this.#due)) {
      this.#due.delete(next);
      void next.task();
    }
    this.#wait();
  }
}
