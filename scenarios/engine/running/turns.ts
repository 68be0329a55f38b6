/** One after the other: whoever takes a turn waits until those before have ended theirs. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.then(
      () => {},
      () => {},
    );
    return result;
  }
}
