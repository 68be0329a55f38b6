/** The tasks of virtual time, which run in order, each after the end of the one before. */
import { noEffect, type ScheduleOptions, type Task } from '../core/configuration.ts';

interface DueTask extends ScheduleOptions {
  /** Microseconds since 1970 UTC. */
  readonly at: number;
  readonly task: Task;
}

interface RunningTask {
  hasEnded: boolean;
  failure?: { readonly error: unknown };
}

export class Agenda {
  readonly #due = new Set<DueTask>();
  #runningCount = 0;
  /** Tasks that a running one may wait for: they were scheduled since it began. */
  readonly #awaited = new Set<DueTask>();
  /** Called once when a task has ended, or there is another such task. */
  #waiting: (() => void)[] = [];
  /** What still ran at the end of the latest run, since it waits for a later time. */
  #left: RunningTask[] = [];

  /** Returns a function that cancels it. */
  add(entry: DueTask): () => void {
    this.#due.add(entry);
    if (entry.isAwaited && this.#runningCount > 0) {
      this.#awaited.add(entry);
      this.#wake();
    }
    return () => this.#remove(entry);
  }

  /** When the next task is due; undefined without any. */
  get next(): number | undefined {
    return this.#firstUntil(Number.POSITIVE_INFINITY)?.at;
  }

  /** Removes the first task due until then; of several at the same time, the one scheduled first. */
  take(end: number): DueTask | undefined {
    const first = this.#firstUntil(end);
    if (first !== undefined) this.#remove(first);
    return first;
  }

  /**
   * Runs what is due until then, and resolves when that has ended, or waits for a later time. `begin` gets the time of each task
   * before it runs, `happened` is called after each one that had an effect.
   */
  async runUntil(end: number, begin: (at: number) => void, happened: () => void): Promise<void> {
    const running = this.#left;
    this.#left = [];
    await this.#settled(running);
    for (let next = this.take(end); next !== undefined; next = this.take(end)) {
      begin(next.at);
      running.push(this.#run(next.task, happened));
      await this.#settled(running);
    }
    this.#left.push(...running);
  }

  #run(task: Task, happened: () => void): RunningTask {
    this.#runningCount += 1;
    const running: RunningTask = { hasEnded: false };
    const work = async () => {
      try {
        if ((await task()) !== noEffect) happened();
      } catch (error) {
        running.failure = { error };
      }
      running.hasEnded = true;
      this.#runningCount -= 1;
      this.#wake();
    };
    void work();
    return running;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when they have ended, and leaves those that may wait for another task. Rejects with the error of one. */
  async #settled(running: RunningTask[]): Promise<void> {
    while (running.length > 0 && this.#awaited.size === 0) {
      if (!running.some(({ hasEnded }) => hasEnded)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const ended = running.filter(({ hasEnded }) => hasEnded);
      for (const one of ended) running.splice(running.indexOf(one), 1);
      for (const { failure } of ended) if (failure !== undefined) throw failure.error;
    }
    if (this.#runningCount === 0) this.#awaited.clear();
  }

  #firstUntil(end: number): DueTask | undefined {
    let first: DueTask | undefined;
    for (const one of this.#due) if (one.at <= end && (first === undefined || one.at < first.at)) first = one;
    return first;
  }

  #remove(entry: DueTask): void {
    this.#due.delete(entry);
    this.#awaited.delete(entry);
  }
}
