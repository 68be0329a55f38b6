import type { Scheduler } from '../clock.ts';
import type { OutgoingAnswer, OutgoingRequest, Sender } from '../dialects/outgoing-message.ts';
import { HttpClient } from '../topology/client.ts';
import { changesOf, readCredentials } from './credentials.ts';
import type { ApplicationEntityOptions } from './options.ts';

export interface ApplicationClientOptions {
  readonly cse: URL;
  readonly originator: string;
  readonly parameters: ApplicationEntityOptions;
  readonly clock: Scheduler;
  readonly report: (error: unknown) => void;
}

/** Microseconds. */
const pauseBetweenLooks = 1_000_000;

/**
 * An HTTP or HTTPS client for one application. Certificates are replaced while it runs: the files are looked at before a
 * request, at most once a second of the clock. While they are unusable, for instance half written, the former ones are
 * presented, and `report` hears of it once for each change.
 */
export class ApplicationClient implements Sender {
  readonly #options: ApplicationClientOptions;
  readonly #client: HttpClient;
  /** As `changesOf` says it. */
  #changes: string;
  /** Microseconds since 1970 UTC. */
  #lookedAt: number;

  /** Throws an ApplicationEntityError when the SSL parameters are incomplete or do not fit. */
  constructor(options: ApplicationClientOptions) {
    const { cse, originator, parameters, clock } = options;
    this.#options = options;
    this.#changes = changesOf(parameters);
    this.#lookedAt = clock.now();
    const tls = readCredentials(cse, parameters, originator);
    const { timeout } = parameters;
    this.#client = new HttpClient({ ...(tls && { tls }), ...(timeout !== undefined && { timeout }) });
  }

  send(baseUrl: string, request: OutgoingRequest): Promise<OutgoingAnswer> {
    this.#lookAtFiles();
    return this.#client.send(baseUrl, request);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #lookAtFiles(): void {
    const { cse, originator, parameters, clock, report } = this.#options;
    if (clock.now() - this.#lookedAt < pauseBetweenLooks) return;
    this.#lookedAt = clock.now();
    const changes = changesOf(parameters);
    if (changes === this.#changes) return;
    this.#changes = changes;
    try {
      const tls = readCredentials(cse, parameters, originator);
      if (tls !== undefined) this.#client.renewTls(tls);
    } catch (error) {
      report(error);
    }
  }
}
