/** So many times the slowest notification. */
const factor = 10;
/** Milliseconds. */
const shortest = 150;

/**
 * How long a target has to be silent until one believes that nothing comes, learnt from what it sent in this run: a
 * target that is slow is given time, one that is quick is not waited for.
 */
export class Silence {
  #slowest: number | undefined;

  /** What was expected came after so many milliseconds. */
  broken(after: number): void {
    this.#slowest = Math.max(this.#slowest ?? 0, after);
  }

  /** Milliseconds: never more than `within`, and all of it as long as nothing has come that was expected. */
  enough(within: number): number {
    if (this.#slowest === undefined) return within;
    return Math.min(within, Math.max(shortest, factor * this.#slowest));
  }
}
