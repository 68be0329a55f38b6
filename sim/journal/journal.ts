/** A bounded journal of requests received or sent by a CSE, with their answers; listeners can subscribe. */

import type { HttpResponse } from '../dialects/http-message.ts';
import type { Scheduler } from '../environment/clock.ts';
import {
  checkCriteria,
  differencesOf,
  type NotificationCriteria,
  nearestNotification,
  type RequestCriteria,
} from './criteria.ts';
import { JournalEntry, type RequestFacts } from './entry.ts';
import { nearMiss, RequestExpectationError } from './near-miss.ts';
import type { ReceivedNotification } from './notification.ts';
import { JournalWaits } from './waiting.ts';

export interface JournalOptions {
  /** Clock for the times of requests, and for waiting. */
  readonly clock: Scheduler;
  /** Requests kept; 1,000 unless given. 0: only listeners get them, and nothing is kept. */
  readonly maxEntries?: number;
  /** Octets of bodies kept; 16 MiB unless given. */
  readonly maxBytes?: number;
  /** Receives errors of listeners; the error console unless given. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface WaitOptions {
  /**
   * How long to wait by the clock of the CSE: milliseconds, or `500ms`, `1h`; 1 second unless given, 0 for requests that have
   * already come. While a manual clock stands still, real time of that length ends the wait, 5 seconds at most.
   */
  readonly within?: number | string;
}

export interface JournalEvent {
  /** `request`: it has arrived; `answer`: it was answered, or will certainly not be. */
  readonly kind: 'request' | 'answer';
  readonly entry: JournalEntry;
}

const defaultWait = '1s';

export class RequestJournal implements Iterable<JournalEntry> {
  readonly #options: Required<JournalOptions> & { readonly onError: (error: unknown) => void };
  readonly #waiting: JournalWaits;
  readonly #listeners = new Set<(event: JournalEvent) => void>();
  #kept: JournalEntry[] = [];
  /** Octets of kept bodies. */
  #bytes = 0;
  #numbered = 0;
  /** Number of the last request at the latest `clear`. */
  #cleared = 0;
  #settled: JournalEntry | undefined;

  constructor(options: JournalOptions) {
    const { clock, maxEntries = 1_000, maxBytes = 16 * 1024 * 1024, onError = console.error } = options;
    this.#options = { clock, maxEntries, maxBytes, onError };
    this.#waiting = new JournalWaits(clock);
  }

  /** The kept requests, oldest first. */
  get entries(): readonly JournalEntry[] {
    const { maxEntries } = this.#options;
    return maxEntries === 0 ? [] : this.#kept.slice(-maxEntries);
  }

  /** How many older ones were dropped, because there were too many or they were too large. */
  get dropped(): number {
    return this.#numbered - this.#cleared - Math.min(this.#kept.length, this.#options.maxEntries);
  }

  /** The latest request. */
  get last(): JournalEntry | undefined {
    return this.entries.at(-1);
  }

  [Symbol.iterator](): Iterator<JournalEntry> {
    return this.entries[Symbol.iterator]();
  }

  /** Matching requests, oldest first. */
  matching(criteria: RequestCriteria): JournalEntry[] {
    checkCriteria(criteria);
    return this.entries.filter((entry) => differencesOf(entry, criteria).length === 0);
  }

  /**
   * Resolves to the first matching request, past or in time, as soon as it is answered.
   * Rejects with a RequestExpectationError that names the nearest request and its differences.
   */
  async expectRequest(criteria: RequestCriteria, { within = defaultWait }: WaitOptions = {}): Promise<JournalEntry> {
    const [found] = this.matching(criteria).filter(isSettled);
    return found ?? this.nextRequest(criteria, { within });
  }

  /** The same for a notification, single or aggregated: `await cse.sent.expectNotification({ content: 'on' })`. */
  async expectNotification(criteria: NotificationCriteria, options?: WaitOptions): Promise<ReceivedNotification> {
    const entry = await this.expectRequest({ operation: 'notify', notification: criteria }, options);
    const { found } = nearestNotification(entry, criteria);
    if (found === undefined) throw new TypeError(`there is no notification in ${entry}`);
    return found;
  }

  /** The same for requests answered from now on only. */
  async nextRequest(criteria: RequestCriteria, { within = defaultWait }: WaitOptions = {}): Promise<JournalEntry> {
    checkCriteria(criteria);
    this.#settled = undefined;
    const look = () => {
      const entry = this.#settled;
      return entry !== undefined && differencesOf(entry, criteria).length === 0 ? entry : undefined;
    };
    return this.#waiting.until(look, within, (ending) =>
      nearMiss(criteria, { entries: this.entries, dropped: this.dropped, ending }),
    );
  }

  /** Throws a RequestExpectationError when a matching request has come. */
  expectNoRequest(criteria: RequestCriteria): void {
    const [found] = this.matching(criteria);
    if (found === undefined) return;
    throw new RequestExpectationError(`An unexpected request came: no. ${found.number}, ${found}`, found, []);
  }

  /** Calls the listener for every request and every answer, in the same turn; its errors go to `onError`. Returns a function that ends it. */
  subscribe(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Drops all requests; numbers continue. */
  clear(): void {
    this.#cleared = this.#numbered;
    this.#kept = [];
    this.#bytes = 0;
    this.#settled = undefined;
  }

  /** For writers: whether entries would be kept or heard. */
  get hasReaders(): boolean {
    return this.#options.maxEntries > 0 || this.#listeners.size > 0;
  }

  /** For writers: a request received or sent now. */
  enter(request: RequestFacts, to?: string): JournalEntry {
    this.#numbered++;
    const entry = new JournalEntry(request, { number: this.#numbered, at: this.#options.clock.now(), to });
    this.#kept.push(entry);
    this.#grow(request.body.length);
    this.#emit('request', entry);
    return entry;
  }

  /** For writers: its answer, or why there is none. */
  settle(entry: JournalEntry, answer: HttpResponse | undefined, problem?: string): void {
    entry.settle(answer, problem, this.#numbered);
    const isKept = entry.number > this.#numbered - this.#kept.length;
    if (answer !== undefined && isKept) this.#grow(answer.body.length);
    this.#settled = entry;
    this.#waiting.notify();
    this.#emit('answer', entry);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    const { maxEntries, maxBytes } = this.#options;
    // A tenth more than the bound, so that dropping costs little.
    if (this.#kept.length > maxEntries * 1.1) this.#drop(this.#kept.length - maxEntries);
    while (this.#bytes > maxBytes && this.#kept.length > 1) this.#drop(1);
  }

  #drop(count: number): void {
    for (const oldest of this.#kept.splice(0, count)) this.#bytes -= sizeOf(oldest);
  }

  #emit(kind: JournalEvent['kind'], entry: JournalEntry): void {
    for (const listener of this.#listeners) {
      try {
        listener({ kind, entry });
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}

const sizeOf = ({ raw, answer }: JournalEntry) => raw.body.length + (answer?.raw.body.length ?? 0);

const isSettled = ({ answer, problem }: JournalEntry) => answer !== undefined || problem !== undefined;
