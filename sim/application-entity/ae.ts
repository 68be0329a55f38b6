/** The application framework's base class ("Client side (AE or IPE)"). */

import { decodeContent, encodeContent, type MessageContent } from '../dialects/content.ts';
import { writeTimestamp } from '../dialects/timestamp.ts';
import { systemClock } from '../environment/clock.ts';
import { defined } from '../environment/defined.ts';
import { ApplicationEntityError, applicationClient, originatorOf } from './credentials.ts';
import type { ApplicationEntityOptions, ContainerOptions, DiscoveryCriteria, DiscoveryPolling } from './options.ts';
import { OwnResources, pathBelow } from './own-resources.ts';
import { isMissing, listedPath, newLocationOf, type RequestAttributes, Requests, requestPath } from './requests.ts';
import { Renewal, startPolling, type Tasks, tasksBy } from './tasks.ts';

/**
 * An application at a CSE. A path is a name or names below the application (`temperature`, `devices/Temp-1`), or a request
 * target (`/onem2m/App/c`, `/~/mn-cse-1/onem2m/App/c`), which is used as it is. Every method that sends rejects with a
 * RequestError for a refusal, and with an UnreachableError that names the CSE when no answer comes.
 */
export class ApplicationEntity implements AsyncDisposable {
  /** Sent as X-M2M-Origin with every request. */
  readonly originator: string;
  /** Path of the application, CSE-relative: `/onem2m/<name>`. */
  readonly path: string;
  readonly #options: ApplicationEntityOptions;
  readonly #base: string;
  readonly #client: ReturnType<typeof applicationClient>;
  readonly #requests: Requests;
  readonly #resources: OwnResources;
  readonly #tasks: Tasks;
  readonly #renewal: Renewal;
  #running = false;

  /** Throws an ApplicationEntityError when the SSL parameters are incomplete or do not fit, before anything is sent. */
  constructor(options: ApplicationEntityOptions) {
    this.#options = options;
    const [cse, clock] = [urlOf(options.cse), options.clock ?? systemClock()];
    this.originator = originatorOf(options.name, options.originatorPre);
    this.#base = `/${options.base ?? 'onem2m'}`;
    this.path = pathBelow(this.#base, options.name);
    this.#tasks = tasksBy(clock, (error) => options.onError?.(error));
    this.#client = applicationClient(cse, this.originator, options, this.#tasks);
    this.#requests = new Requests({ sender: this.#client, cse, originator: this.originator });
    this.#resources = new OwnResources(this.#requests, () => clock.now());
    this.#renewal = new Renewal(this.#resources, this.#tasks);
  }

  /** Called once the application is registered; for derived classes. */
  protected async onStart(): Promise<void> {}

  /** Called before the application deregisters; for derived classes. */
  protected async onStop(): Promise<void> {}

  /**
   * Registers, or resumes the application that is registered under its name and originator already: its points of access,
   * labels and expiration time are updated then. From then on the application and its containers are renewed before they
   * expire. Rejects with an ApplicationEntityError when the name is that of another application, or after `stop`.
   */
  async start(): Promise<void> {
    if (this.#tasks.ended) throw new ApplicationEntityError(`${this.path} was stopped, and cannot be started again`);
    const { api, name, poas, labels, lifetime } = this.#options;
    await this.#resources.hold({
      parent: this.#base,
      name,
      root: 'm2m:ae',
      attributes: {
        api: api ?? `N.${name}`,
        rr: (poas ?? []).length > 0,
        ...defined({ poa: poas, lbl: labels }),
      },
      changeable: ['rr', 'poa', 'lbl'],
      lifetime,
      claim: (found) => this.#claim(found),
    });
    this.#running = true;
    this.#renewal.plan();
    await this.onStart();
  }

  /** Deregisters, which removes everything below the application, and ends timers and connections, even when that fails. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = false;
    this.#tasks.end();
    try {
      await this.#renewal.end();
      if (running) await this.onStop().finally(() => this.#deregister());
    } finally {
      this.#resources.forgetAll();
      await this.#client.close();
    }
  }

  /** The same as `stop`, but failures go to `onError`: a CSE that is gone by then is no reason to fail. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(this.#tasks.report);
  }

  /**
   * Creates a container, or takes the one that has the name already and gives it these labels and limits. Of a path such as
   * `devices/Temp-1/measurements` the containers on the way are created as well, without labels; of one that begins with a
   * slash only the last. Resolves to its path.
   */
  async createContainer(path: string, options: ContainerOptions = {}): Promise<string> {
    const { parent, names } = newLocationOf(path, requestPath(options.in ?? this.path, this.path));
    let location = parent;
    for (const name of names.slice(0, -1)) {
      const known = this.#resources.has(pathBelow(location, name));
      location = known ? pathBelow(location, name) : await this.#holdContainer(location, name, {});
    }
    const created = await this.#holdContainer(location, names.at(-1) ?? '', options);
    this.#renewal.plan();
    return created;
  }

  /**
   * Stores content in a container: a text as it is, octets and JSON values as base64 with their marker. Resolves to the
   * attributes of the content instance. Where the CSE has lost the container, the resources of the application are created
   * anew first.
   */
  async push(container: string, content: MessageContent): Promise<RequestAttributes> {
    const attributes = { ...encodeContent(content) };
    const store = () => this.#requests.create(this.#target(container), 'm2m:cin', attributes);
    try {
      return await store();
    } catch (error) {
      if (!isMissing(error) || !this.#running) throw error;
      await this.#resources.restore();
      return store();
    }
  }

  /**
   * The newest content of a container, decoded by its marker. A CSE without `latest` gets a request for `la`, the short name
   * of oneM2M. An empty container is a RequestError with status 404.
   */
  async latest(container: string): Promise<unknown> {
    const newest = await this.retrieve(`${container}/latest`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return this.retrieve(`${container}/la`);
    });
    return decodeContent(newest);
  }

  /** The content of the content instance at a path, decoded by its marker: text, JSON value, or octets in a Buffer. */
  async content(instance: string): Promise<unknown> {
    return decodeContent(await this.retrieve(instance));
  }

  /** Attributes of the resource at a path, without the root key. */
  retrieve(path: string): Promise<RequestAttributes> {
    return this.#requests.retrieve(this.#target(path));
  }

  /** Paths of the resources that meet all criteria, as the other methods take them, in the CSE's order. */
  async discover(criteria: DiscoveryCriteria = {}): Promise<string[]> {
    const { labels = [], createdAfter, under = this.#base } = criteria;
    const query = new URLSearchParams(labels.map((label) => ['lbl', label]));
    if (createdAfter !== undefined) {
      query.set('cra', typeof createdAfter === 'string' ? createdAfter : spacedTimestamp(createdAfter));
    }
    const listed = await this.#requests.discover(this.#target(under), query);
    return listed.map((address) => listedPath(address, this.#base));
  }

  /**
   * Discovers at once, and then polls for what was created since the last poll, by the application's clock ("Endpoints",
   * note 3); each poll overlaps the last by a second, and nothing is reported twice. Failures go to `onError`, and the next
   * poll covers what was missed. Returns a function that ends it. Throws a RangeError unless the pause is positive.
   */
  pollDiscovery(criteria: DiscoveryCriteria, polling: DiscoveryPolling): () => void {
    return startPolling(this.#tasks, polling, (since) =>
      this.discover(since === undefined ? criteria : { ...criteria, createdAfter: since }),
    );
  }

  async #holdContainer(parent: string, name: string, options: ContainerOptions): Promise<string> {
    const { labels, maxInstances, maxBytes, maxAge, lifetime = this.#options.lifetime } = options;
    const held = this.#resources.hold({
      parent,
      name,
      root: 'm2m:cnt',
      attributes: defined({ lbl: labels, mni: maxInstances, mbs: maxBytes, mia: maxAge }),
      changeable: ['lbl', 'mni', 'mbs', 'mia'],
      lifetime,
    });
    return held.catch((cause: unknown) => {
      if (this.#running || !isMissing(cause)) throw cause;
      throw new ApplicationEntityError(`${this.path} is not registered: await start() before that`, { cause });
    });
  }

  #target(path: string): string {
    return requestPath(path, this.path);
  }

  async #deregister(): Promise<void> {
    await this.#requests.remove(this.path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  /** An AE of the same name is this application only under the same identifier. */
  #claim({ aei }: RequestAttributes): void {
    const own = this.originator.slice(this.originator.lastIndexOf('/') + 1);
    if (aei === own || aei === this.originator) return;
    throw new ApplicationEntityError(`${this.path} is registered already, as ${String(aei)}, not as ${own}`);
  }
}

/** The documented name of the base class. */
export { ApplicationEntity as XAE };

function urlOf(cse: string): URL {
  const url = URL.canParse(cse) ? new URL(cse) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ApplicationEntityError(`cse: "${cse}" is no URL that begins with http:// or https://`);
}

/** The documented form of `cra`: `2017-03-02 16:12:53.350093+00:00`. */
const spacedTimestamp = (microseconds: number): string => writeTimestamp(microseconds).replace('T', ' ');
