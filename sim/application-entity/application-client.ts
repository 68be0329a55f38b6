import { defined } from '../defined.ts';
import type { OutgoingAnswer, OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';
import { HttpClient } from '../topology/client.ts';
import { changesOf, readCredentials } from './credentials.ts';
import type { ApplicationEntityOptions } from './options.ts';
import type { Tasks } from './tasks.ts';

/** Microseconds. */
const pauseBetweenLooks = 1_000_000;

/**
 * An HTTP or HTTPS client for one application. Certificates are replaced while it runs: the files are looked at before a
 * request, at most once a second of the clock. While they are unusable, for instance half written, the former ones are
 * presented, and `tasks.report` hears of it once for each change.
 */
export class ApplicationClient implements Sender {
  readonly #cse: URL;
  readonly #originator: string;
  readonly #parameters: ApplicationEntityOptions;
  readonly #tasks: Tasks;
  readonly #client: HttpClient;
  /** As `changesOf` says it. */
  #changes: string;
  /** Microseconds since 1970 UTC. */
  #lookedAt: number;

  /** Throws an ApplicationEntityError when the SSL parameters are incomplete or do not fit. */
  constructor(cse: URL, originator: string, parameters: ApplicationEntityOptions, tasks: Tasks) {
    this.#cse = cse;
    this.#originator = originator;
    this.#parameters = parameters;
    this.#tasks = tasks;
    this.#changes = changesOf(parameters);
    this.#lookedAt = tasks.clock.now();
    const tls = readCredentials(cse, parameters, originator);
    this.#client = new HttpClient(defined({ tls, timeout: parameters.timeout }));
  }

  send(baseUrl: string, request: OutgoingRequest): Promise<OutgoingAnswer> {
    this.#lookAtFiles();
    return this.#client.send(baseUrl, request);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #lookAtFiles(): void {
    const now = this.#tasks.clock.now();
    if (now - this.#lookedAt < pauseBetweenLooks) return;
    this.#lookedAt = now;
    const changes = changesOf(this.#parameters);
    if (changes === this.#changes) return;
    this.#changes = changes;
    try {
      const tls = readCredentials(this.#cse, this.#parameters, this.#originator);
      if (tls !== undefined) this.#client.renewTls(tls);
    } catch (error) {
      this.#tasks.report(error);
    }
  }
}
