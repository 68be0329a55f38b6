/** What an application has created and keeps alive: itself and its containers, in the order in which they have to exist. */
import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import { type Attributes, isMissing, RequestError, type Requests } from './requests.ts';

export interface Holding {
  /** Request target. */
  readonly parent: string;
  readonly name: string;
  readonly root: 'm2m:ae' | 'm2m:cnt';
  /** Sent when it is created, without name and expiration time. */
  readonly attributes: Attributes;
  /** Names of those attributes that an update can change. */
  readonly changeable: readonly string[];
  /** Seconds that it lives without being renewed; the CSE decides unless given. */
  readonly lifetime: number | undefined;
  /** Throws when a resource that has the name already is somebody else's. */
  readonly claim?: (found: Attributes) => void;
}

interface Held extends Holding {
  /** Microseconds since 1970 UTC, on the application's clock; undefined when the CSE shows no expiration time. */
  expires: number | undefined;
  /** Microseconds that are asked for at each renewal. */
  readonly renewedFor: number;
}

const microseconds = 1_000_000;
/** For what was taken over: its `et` less its `ct` is how old it is already. */
const defaultLifetime = 3600 * microseconds;

export class Holdings {
  readonly #requests: Requests;
  readonly #now: () => number;
  readonly #held = new Map<string, Held>();
  #restoring: Promise<void> | undefined;

  constructor(requests: Requests, now: () => number) {
    this.#requests = requests;
    this.#now = now;
  }

  /** Creates it, or takes over what has the name already. Resolves to its path. */
  async hold(holding: Holding): Promise<string> {
    const path = pathBelow(holding.parent, holding.name);
    const asked = holding.lifetime === undefined ? undefined : holding.lifetime * microseconds;
    try {
      const granted = this.#granted(await this.#create(holding, asked), asked);
      this.#keep(path, holding, granted, asked ?? granted);
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 409) throw error;
      const lifetime = asked ?? defaultLifetime;
      this.#keep(
        path,
        holding,
        this.#granted(await this.#takeOver(holding, path, lifetime, error), lifetime),
        lifetime,
      );
    }
    return path;
  }

  has(path: string): boolean {
    return this.#held.has(path);
  }

  /** All of it anew, for a CSE that has forgotten. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreAll().finally(() => {
      this.#restoring = undefined;
    });
    return this.#restoring;
  }

  /** Lets everything live on; what is gone is made anew. */
  async renew(): Promise<void> {
    try {
      await this.#renewAll();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.restore();
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

  async #restoreAll(): Promise<void> {
    for (const holding of [...this.#held.values()]) await this.hold(holding);
  }

  async #renewAll(): Promise<void> {
    for (const [path, held] of this.#held) {
      if (held.expires === undefined) continue;
      const shown = await this.#requests.update(path, held.root, { et: this.#expiration(held.renewedFor) });
      held.expires = this.#now() + (this.#granted(shown, held.renewedFor) ?? held.renewedFor);
    }
  }

  #keep(path: string, holding: Holding, granted: number | undefined, renewedFor = defaultLifetime): void {
    const expires = granted === undefined ? undefined : this.#now() + granted;
    this.#held.set(path, { ...holding, expires, renewedFor });
  }

  #create({ parent, name, root, attributes }: Holding, lifetime: number | undefined): Promise<Attributes> {
    const et = lifetime === undefined ? {} : { et: this.#expiration(lifetime) };
    return this.#requests.create(parent, root, { rn: name, ...attributes, ...et });
  }

  async #takeOver(holding: Holding, path: string, lifetime: number, conflict: RequestError): Promise<Attributes> {
    const found = await this.#requests.retrieve(path).catch((error: unknown) => {
      throw isMissing(error) ? conflict : error;
    });
    holding.claim?.(found);
    const changes = Object.entries(holding.attributes).filter(([name]) => holding.changeable.includes(name));
    const et = this.#expiration(lifetime);
    return this.#requests.update(path, holding.root, { ...Object.fromEntries(changes), et }).catch((error: unknown) => {
      // "Update operation: not shown": a CSE may have none, and what exists is left as it is.
      if (!(error instanceof RequestError) || ![405, 501].includes(error.status)) throw error;
      return { et: found.et };
    });
  }

  /**
   * Microseconds that a resource lives from now on, by the CSE's own clock, which may differ from ours: from its last
   * modification to its expiration. Never more than was asked for, where a CSE leaves `lt` alone when only `et` changes.
   */
  #granted(shown: Attributes, asked: number | undefined): number | undefined {
    const [et, modified] = [shown.et, shown.lt ?? shown.ct].map((value) => readTimestamp(String(value ?? '')));
    if (et === undefined) return asked;
    return Math.min(asked ?? Number.POSITIVE_INFINITY, et - (modified ?? this.#now()));
  }

  #expiration(lifetime: number): string {
    return writeTimestamp(Math.round(this.#now() + lifetime));
  }
}

export function pathBelow(parent: string, name: string): string {
  return `${parent}/${encodeURIComponent(name)}`;
}
