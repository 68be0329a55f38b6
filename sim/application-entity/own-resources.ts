/** What an application has created and keeps alive: itself and its containers, in the order in which they have to exist. */
import { readTimestamp, writeTimestamp } from '../dialects/timestamp.ts';
import { isMissing, type RequestAttributes, RequestError, type Requests } from './requests.ts';

interface OwnResource {
  /** Request target. */
  readonly parent: string;
  readonly name: string;
  readonly root: 'm2m:ae' | 'm2m:cnt';
  /** Sent when it is created, without name and expiration time. */
  readonly attributes: RequestAttributes;
  /** Names of those attributes that an update can change. */
  readonly changeable: readonly string[];
  /** Seconds that it lives without renewal; the CSE decides unless given. */
  readonly lifetime: number | undefined;
  /** Throws when the resource of this name belongs to somebody else. */
  readonly claim?: (found: RequestAttributes) => void;
}

interface HeldResource extends OwnResource {
  lease: Lease;
  /** Half-way to its expiration, in microseconds since 1970 UTC on the application's clock; undefined when it never expires. */
  due: number | undefined;
  /** Microseconds that each renewal requests. */
  readonly renewedFor: number;
}

type Grant = Pick<HeldResource, 'lease' | 'due' | 'renewedFor'>;

const microseconds = 1_000_000;
/** Of resources taken over: their `et` less their `ct` would include their age. */
const defaultLifetime = 3600 * microseconds;

export class OwnResources {
  readonly #requests: Requests;
  readonly #now: () => number;
  readonly #held = new Map<string, HeldResource>();
  #restoring: Promise<void> | undefined;

  constructor(requests: Requests, now: () => number) {
    this.#requests = requests;
    this.#now = now;
  }

  /** Creates it, or takes over what has the name already. Resolves to its path. */
  async hold(resource: OwnResource): Promise<string> {
    const path = pathBelow(resource.parent, resource.name);
    const requested = resource.lifetime === undefined ? undefined : resource.lifetime * microseconds;
    const granted = await this.#create(resource, path, requested).catch((error: unknown) => {
      if (!(error instanceof RequestError) || error.status !== 409) throw error;
      return this.#takeOver(resource, path, requested ?? defaultLifetime, error);
    });
    this.#held.set(path, { ...resource, ...granted });
    return path;
  }

  has(path: string): boolean {
    return this.#held.has(path);
  }

  /** Creates everything anew, at a CSE that has lost it. */
  restore(): Promise<void> {
    this.#restoring ??= this.#restoreAll().finally(() => {
      this.#restoring = undefined;
    });
    return this.#restoring;
  }

  /**
   * Renews everything due until a time, in microseconds since 1970 UTC; missing resources are created anew. One refusal does
   * not stop the others: it rejects with the first refusal when all have been tried.
   */
  async renew(until: number): Promise<void> {
    try {
      await this.#renewDue(until);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.restore();
    }
  }

  /** When the first renewal is due, in microseconds since 1970 UTC; undefined when nothing expires. */
  get firstDue(): number | undefined {
    const times = [...this.#held.values()].flatMap(({ due }) => due ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  forgetAll(): void {
    this.#held.clear();
  }

  async #restoreAll(): Promise<void> {
    for (const resource of [...this.#held.values()]) await this.hold(resource);
  }

  async #renewDue(until: number): Promise<void> {
    const refusals: RequestError[] = [];
    for (const [path, held] of this.#held) {
      if (held.due === undefined || held.due > until) continue;
      try {
        const et = this.#expiration(held.renewedFor, held.lease.ahead);
        const attributes = await this.#requests.update(path, held.root, { et });
        Object.assign(held, this.#granted(attributes, held.renewedFor, held.lease));
      } catch (error) {
        if (!(error instanceof RequestError) || isMissing(error)) throw error;
        refusals.push(error);
      }
    }
    if (refusals[0] !== undefined) throw refusals[0];
  }

  async #create(resource: OwnResource, path: string, requested: number | undefined): Promise<Grant> {
    const { parent, name, root, attributes } = resource;
    const known = this.#held.get(path) ?? this.#held.get(parent);
    const et = requested === undefined ? {} : { et: this.#expiration(requested, known?.lease.ahead) };
    const created = await this.#requests.create(parent, root, { rn: name, ...attributes, ...et });
    const isSilent = requested === undefined && Object.keys(created).length === 0;
    const granted = this.#granted(isSilent ? await this.#requests.retrieve(path) : created, requested);
    return { ...granted, renewedFor: requested ?? granted.lease.lifetime ?? defaultLifetime };
  }

  async #takeOver(resource: OwnResource, path: string, lifetime: number, conflict: RequestError): Promise<Grant> {
    const found = await this.#requests.retrieve(path).catch((error: unknown) => {
      throw isMissing(error) ? conflict : error;
    });
    resource.claim?.(found);
    const changes = Object.entries(resource.attributes).filter(([name]) => resource.changeable.includes(name));
    const former = { ahead: this.#held.get(resource.parent)?.lease.ahead ?? 0, modified: modifiedIn(found) };
    const et = this.#expiration(lifetime, former.ahead);
    const content = { ...Object.fromEntries(changes), et };
    const attributes = await this.#requests.update(path, resource.root, content).catch((error: unknown) => {
      // "Update operation: not shown": a CSE may have none, and what exists is left as it is.
      if (!(error instanceof RequestError) || ![405, 501].includes(error.status)) throw error;
      return { et: found.et };
    });
    return { ...this.#granted(attributes, lifetime, former), renewedFor: lifetime };
  }

  #granted(
    attributes: RequestAttributes,
    requested: number | undefined,
    former?: Partial<Lease>,
  ): Pick<HeldResource, 'lease' | 'due'> {
    const now = this.#now();
    const lease = readLease(attributes, now, requested, former);
    return { lease, due: lease.lifetime === undefined ? undefined : now + lease.lifetime / 2 };
  }

  /** By our clock, or the CSE's where that is ahead: there it would expire too early, or be in the past. */
  #expiration(lifetime: number, ahead = 0): string {
    return writeTimestamp(Math.round(this.#now() + Math.max(0, ahead) + lifetime));
  }
}

export function pathBelow(parent: string, name: string): string {
  return `${parent}/${encodeURIComponent(name)}`;
}

/** How long a CSE lets a resource live, read from its answers by the CSE's own clock, which may differ from ours. */
interface Lease {
  /** Microseconds from the answer to the expiration; undefined when the resource never expires. */
  readonly lifetime: number | undefined;
  /** Microseconds that the CSE's clock is ahead of the application's; 0 until an answer has its time. */
  readonly ahead: number;
  /** The last `lt` in an answer, in microseconds since 1970 UTC. */
  readonly modified: number | undefined;
}

/**
 * The lease of a resource that was created or updated just now. Its `lt` is the CSE's time then, unless the CSE leaves `lt`
 * alone when only `et` changes: then the clocks differ as they did in the former lease. The lifetime is never more than
 * requested, and as requested where the answer has no `et`. Times are in microseconds.
 */
export function readLease(
  attributes: RequestAttributes,
  now: number,
  requested: number | undefined,
  former?: Partial<Lease>,
): Lease {
  const [expires, modified] = [timeOf(attributes.et), modifiedIn(attributes)];
  const isNow = modified !== undefined && modified !== former?.modified;
  const ahead = isNow ? modified - now : (former?.ahead ?? 0);
  const left = expires === undefined ? requested : expires - (now + ahead);
  return {
    lifetime: left === undefined ? undefined : Math.min(requested ?? Number.POSITIVE_INFINITY, left),
    ahead,
    modified: modified ?? former?.modified,
  };
}

/** The time of the last modification, in microseconds since 1970 UTC; undefined when it is absent. */
const modifiedIn = ({ lt, ct }: RequestAttributes): number | undefined => timeOf(lt ?? ct);

const timeOf = (value: unknown): number | undefined => readTimestamp(String(value ?? ''));
