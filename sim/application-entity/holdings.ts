/** What an application has created and keeps alive: itself and its containers, in the order in which they have to exist. */
import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import type { Attributes, Requests } from './requests.ts';
import { RequestError } from './requests.ts';

export interface Holding {
  readonly parent: string;
  readonly name: string;
  readonly root: 'm2m:ae' | 'm2m:cnt';
  /** Sent when it is created, without name and expiration time. */
  readonly attributes: Attributes;
  /** Names of those attributes that an update can change. */
  readonly changeable: readonly string[];
  /** Throws when a resource that has the name already is somebody else's. */
  readonly claim?: (found: Attributes) => void;
}

interface Held extends Holding {
  /** Microseconds since 1970 UTC; undefined when the CSE does not say. */
  expires: number | undefined;
  /** Microseconds that it lives after each renewal. */
  lifetime: number;
}

const defaultLifetime = 3600 * 1_000_000;

export class Holdings {
  readonly #requests: Requests;
  readonly #now: () => number;
  /** Microseconds; undefined leaves it to the CSE. */
  readonly #lifetime: number | undefined;
  readonly #held = new Map<string, Held>();

  constructor(requests: Requests, now: () => number, lifetimeSeconds: number | undefined) {
    this.#requests = requests;
    this.#now = now;
    this.#lifetime = lifetimeSeconds === undefined ? undefined : lifetimeSeconds * 1_000_000;
  }

  /** Creates it, or takes over what has the name already. Resolves to its path. */
  async hold(holding: Holding): Promise<string> {
    const path = pathOf(holding);
    const shown = await this.#establish(holding, path);
    const [created, expires] = [shown.ct, shown.et].map((value) => readTimestamp(String(value ?? '')));
    const granted = created === undefined || expires === undefined ? defaultLifetime : expires - created;
    this.#held.set(path, { ...holding, expires, lifetime: this.#lifetime ?? granted });
    return path;
  }

  /** All of it anew, for a CSE that has forgotten. */
  async restore(): Promise<void> {
    for (const holding of [...this.#held.values()]) await this.hold(holding);
  }

  /** Lets everything live on. Rejects with the RequestError of the first that is gone. */
  async renew(): Promise<void> {
    for (const [path, held] of this.#held) {
      const shown = await this.#requests.update(path, held.root, { et: this.#expiration(held.lifetime) });
      held.expires = readTimestamp(String(shown.et ?? ''));
    }
  }

  /** When the first of it expires, in microseconds since 1970 UTC; undefined when nothing does. */
  get firstExpiration(): number | undefined {
    const times = [...this.#held.values()].flatMap(({ expires }) => expires ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  forgetAll(): void {
    this.#held.clear();
  }

  async #establish(holding: Holding, path: string): Promise<Attributes> {
    const { parent, name, root, attributes } = holding;
    const et = this.#lifetime === undefined ? {} : { et: this.#expiration(this.#lifetime) };
    try {
      return await this.#requests.create(parent, root, { rn: name, ...attributes, ...et });
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 409) throw error;
      return this.#takeOver(holding, path, error);
    }
  }

  async #takeOver(holding: Holding, path: string, conflict: RequestError): Promise<Attributes> {
    const found = await this.#requests.retrieve(path).catch((error: unknown) => {
      throw error instanceof RequestError && error.status === 404 ? conflict : error;
    });
    holding.claim?.(found);
    const changes = Object.entries(holding.attributes).filter(([name]) => holding.changeable.includes(name));
    const et = this.#expiration(this.#lifetime ?? defaultLifetime);
    return this.#requests.update(path, holding.root, { ...Object.fromEntries(changes), et });
  }

  #expiration(lifetime: number): string {
    return writeTimestamp(this.#now() + lifetime);
  }
}

function pathOf({ parent, name }: Holding): string {
  return `${parent}/${encodeURIComponent(name)}`;
}
