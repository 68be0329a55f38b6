import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several goes: what changes within this time is one change. Milliseconds. */
const quiet = 80;

/**
 * YAML files that change in these directories, as batches of absolute paths, until the signal. A directory is watched rather
 * than a file, since many editors put a new file in the place of the old one.
 */
export class FileChanges implements AsyncIterable<readonly string[]> {
  readonly #changed = new Set<string>();
  readonly #watchers: readonly FSWatcher[];
  readonly #signal: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => {};

  constructor(directories: readonly string[], signal: AbortSignal) {
    this.#signal = signal;
    this.#watchers = [...new Set(directories)].map((directory) =>
      watch(directory, (_, name) => {
        if (name !== null && /\.ya?ml$/.test(name)) this.#note(join(directory, name));
      }),
    );
    signal.addEventListener('abort', () => this.#end(), { once: true });
    if (signal.aborted) this.#end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly string[]> {
    while (!this.#signal.aborted) {
      if (this.#timer === undefined && this.#changed.size > 0) {
        const batch = [...this.#changed].sort();
        this.#changed.clear();
        yield batch;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #note(path: string): void {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#wake();
    }, quiet);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const watcher of this.#watchers) watcher.close();
    this.#wake();
  }
}
