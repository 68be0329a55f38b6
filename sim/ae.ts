/** The application framework's base class ("Client side (AE or IPE)"). */
import { statSync } from 'node:fs';
import { type Content, decodeContent, encodeContent } from './application-entity/content.ts';
import { ApplicationEntityError, originatorOf, readCredentials } from './application-entity/credentials.ts';
import { Holdings } from './application-entity/holdings.ts';
import type { ApplicationEntityOptions, ContainerOptions, DiscoveryCriteria } from './application-entity/options.ts';
import { isMissing, Renewal, Tasks } from './application-entity/renewal.ts';
import { type Attributes, Requests } from './application-entity/requests.ts';
import { type Scheduler, systemClock } from './clock.ts';

import { writeTimestamp } from './dialects/timestamp.ts';
import { HttpClient } from './topology/client.ts';

/** Every method that sends rejects with a RequestError for a refusal, and with an UnreachableError when no answer comes. */
export class ApplicationEntity implements AsyncDisposable {
  /** Sent as X-M2M-Origin with every request. */
  readonly originator: string;
  /** Path of the application, CSE-relative: `/onem2m/<name>`. */
  readonly path: string;
  readonly #options: ApplicationEntityOptions;
  readonly #clock: Scheduler;
  readonly #cse: URL;
  readonly #client: HttpClient;
  readonly #requests: Requests;
  readonly #holdings: Holdings;
  readonly #tasks: Tasks;
  readonly #renewal: Renewal;
  #filesChanged = 0;
  #running = false;

  /** Throws an ApplicationEntityError when the SSL parameters are incomplete or do not fit, before anything is sent. */
  constructor(options: ApplicationEntityOptions) {
    if (!URL.canParse(options.cse)) throw new ApplicationEntityError(`cse: "${options.cse}" is no URL`);
    this.#options = options;
    this.#cse = new URL(options.cse);
    this.#clock = options.clock ?? systemClock();
    this.originator = originatorOf(options.name, options.originatorPre);
    this.path = `/${options.base ?? 'onem2m'}/${encodeURIComponent(options.name)}`;
    const tls = readCredentials(this.#cse, options, this.originator);
    this.#filesChanged = this.#lastChange();
    this.#client = new HttpClient({
      ...(tls && { tls }),
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    });
    this.#requests = new Requests(this.#client, this.#cse, this.originator);
    this.#holdings = new Holdings(this.#requests, () => this.#clock.now(), options.lifetime);
    this.#tasks = new Tasks(this.#clock);
    this.#renewal = new Renewal({
      holdings: this.#holdings,
      tasks: this.#tasks,
      clock: this.#clock,
      refresh: () => this.#readChangedFiles(),
      report: (error) => this.#report(error),
    });
  }

  /** Called once the application is registered; for derived classes. */
  protected async onStart(): Promise<void> {}

  /** Called before the application deregisters; for derived classes. */
  protected async onStop(): Promise<void> {}

  /** Registers, or resumes the application that is registered under its name and originator already. */
  async start(): Promise<void> {
    const { api, name, poas, labels } = this.#options;
    await this.#holdings.hold({
      parent: this.#base,
      name,
      root: 'm2m:ae',
      attributes: {
        api: api ?? `N.${name}`,
        rr: (poas ?? []).length > 0,
        ...(poas && { poa: poas }),
        ...(labels && { lbl: labels }),
      },
      changeable: ['rr', 'poa', 'lbl'],
      claim: (found) => this.#claim(found),
    });
    this.#running = true;
    this.#renewal.plan();
    await this.onStart();
  }

  /** Deregisters, which removes everything below the application, and ends timers and connections. */
  async stop(): Promise<void> {
    try {
      if (this.#running) await this.onStop();
      if (this.#running) await this.#requests.delete(this.path).catch(ignoreMissing);
    } finally {
      this.#running = false;
      this.#tasks.end();
      this.#holdings.forgetAll();
      await this.#client.close();
    }
  }

  /** The same as `stop`, but a CSE that is gone by then is no reason to fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch((error: unknown) => this.#report(error));
  }

  /** Creates a container, or takes the one that has the name already. Resolves to its path. */
  async createContainer(name: string, options: ContainerOptions = {}): Promise<string> {
    const { labels, maxInstances, maxBytes, maxAge } = options;
    const path = await this.#holdings.hold({
      parent: options.in ?? this.path,
      name,
      root: 'm2m:cnt',
      attributes: {
        ...(labels && { lbl: labels }),
        ...(maxInstances !== undefined && { mni: maxInstances }),
        ...(maxBytes !== undefined && { mbs: maxBytes }),
        ...(maxAge !== undefined && { mia: maxAge }),
      },
      changeable: ['lbl', 'mni', 'mbs', 'mia'],
    });
    this.#renewal.plan();
    return path;
  }

  /**
   * Stores content in a container: a text as it is, octets and JSON values as base64 with their marker. Resolves to the
   * attributes of the content instance. Where the CSE has forgotten the container, the application is registered anew first.
   */
  async push(container: string, content: Content): Promise<Attributes> {
    const store = () => this.#requests.create(container, 'm2m:cin', { ...encodeContent(content) });
    try {
      return await store();
    } catch (error) {
      if (!isMissing(error) || !this.#running) throw error;
      await this.#holdings.restore();
      return store();
    }
  }

  /** The newest content of a container, decoded by its marker. */
  async latest(container: string): Promise<unknown> {
    return decodeContent(await this.#requests.retrieve(`${container}/latest`));
  }

  /** Attributes of the resource at a path. */
  retrieve(path: string): Promise<Attributes> {
    return this.#requests.retrieve(path);
  }

  /** Paths of what meets the criteria, in the form in which `under` addresses the CSE. */
  discover(criteria: DiscoveryCriteria = {}): Promise<string[]> {
    const { labels = [], createdAfter, under = this.#base } = criteria;
    const query = new URLSearchParams(labels.map((label) => ['lbl', label]));
    if (createdAfter !== undefined) {
      query.set(
        'cra',
        typeof createdAfter === 'string' ? createdAfter : writeTimestamp(createdAfter).replace('T', ' '),
      );
    }
    return this.#requests.discover(under, query);
  }

  /**
   * Discovers again and again, each time what was created since the poll before ("Endpoints", note 3). What fails goes to
   * `onError`, and the next poll asks for all that was missed. Returns what ends it.
   */
  pollDiscovery(
    criteria: DiscoveryCriteria,
    seconds: number,
    onFound: (paths: readonly string[]) => void | Promise<void>,
  ): () => void {
    let since = criteria.createdAfter;
    let before: readonly string[] = [];
    const poll = async (): Promise<void> => {
      const now = this.#clock.now();
      try {
        const found = await this.discover({ ...criteria, ...(since !== undefined && { createdAfter: since }) });
        // What was created while the poll before was under way is found twice.
        const fresh = found.filter((path) => !before.includes(path));
        [since, before] = [now, found];
        if (fresh.length > 0) await onFound(fresh);
      } catch (error) {
        this.#report(error);
      }
      if (!ended) cancel = this.#tasks.later(seconds * 1000, poll);
    };
    let ended = false;
    let cancel = this.#tasks.later(0, poll);
    return () => {
      ended = true;
      cancel();
    };
  }

  get #base(): string {
    return `/${this.#options.base ?? 'onem2m'}`;
  }

  /** An AE of the same name is this application only under the same identifier. */
  #claim({ aei }: Attributes): void {
    const own = this.originator.slice(this.originator.lastIndexOf('/') + 1);
    if (aei === own || aei === this.originator) return;
    throw new ApplicationEntityError(`${this.path} is registered already, as ${String(aei)}, not as ${own}`);
  }

  /** Certificates are renewed while an application runs; from the next renewal on the new one is presented. */
  #readChangedFiles(): void {
    const changed = this.#lastChange();
    if (changed === this.#filesChanged) return;
    const tls = readCredentials(this.#cse, this.#options, this.originator);
    if (tls !== undefined) this.#client.renewTls(tls);
    this.#filesChanged = changed;
  }

  #lastChange(): number {
    const { caCerts, certFile, keyFile } = this.#options;
    const paths = [caCerts, certFile, keyFile].filter((path) => path !== undefined);
    return Math.max(0, ...paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

/** The documented name of the base class. */
export { ApplicationEntity as XAE };

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
