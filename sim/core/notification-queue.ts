/** What waits to be sent to one target of one subscription, in order. */
export interface QueueSettings {
  /** Only the latest is of interest (`ln`). */
  readonly latestOnly: boolean;
  /** Of what could not be sent, only the latest is (`pn` 1). */
  readonly latestPending: boolean;
  /** At most so many in so many milliseconds (`rl`). */
  readonly rate: { readonly number: number; readonly milliseconds: number } | undefined;
}

const shortestPause = 1000;
const longestPause = 60_000;
const microsecondsPerMillisecond = 1000;

export class NotificationQueue {
  readonly target: string;
  settings: QueueSettings;
  /** True while somebody takes care of it: sends, or waits for the time to do so. */
  busy = false;
  #items: unknown[] = [];
  #head = 0;
  #pause = shortestPause;
  #unreachable = false;
  /** When the latest ones were sent, for the rate limit. */
  #sent: number[] = [];

  constructor(target: string, settings: QueueSettings) {
    this.target = target;
    this.settings = settings;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Returns how many were dropped for it. */
  push(content: unknown, most: number): number {
    const before = this.length;
    const onlyThis = this.settings.latestOnly || (this.settings.latestPending && this.#unreachable);
    if (onlyThis) this.#clear();
    this.#items.push(content);
    while (this.length > most) this.take();
    return before + 1 - this.length;
  }

  take(): unknown {
    const content = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return content;
  }

  /** Puts back what could not be sent, and says how many milliseconds to wait before the next attempt. */
  failed(content: unknown): number {
    const superseded = this.length > 0 && (this.settings.latestOnly || this.settings.latestPending);
    if (!superseded) this.#items = [content, ...this.#items.slice(this.#head)];
    else this.#items = this.#items.slice(-1);
    this.#head = 0;
    this.#unreachable = true;
    const pause = this.#pause;
    this.#pause = Math.min(pause * 2, longestPause);
    return pause;
  }

  succeeded(now: number): void {
    this.#unreachable = false;
    this.#pause = shortestPause;
    if (this.settings.rate !== undefined) this.#sent.push(now);
  }

  /** Milliseconds until the rate limit lets the next one go. */
  waitForRate(now: number): number {
    const { rate } = this.settings;
    if (rate === undefined) return 0;
    const since = now - rate.milliseconds * microsecondsPerMillisecond;
    this.#sent = this.#sent.filter((time) => time > since);
    const oldest = this.#sent.at(-rate.number);
    return oldest === undefined ? 0 : (oldest - since) / microsecondsPerMillisecond;
  }

  #clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
