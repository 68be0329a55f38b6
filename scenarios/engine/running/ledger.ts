import { isSuccess, neverArrived, viewOf } from '../judging/answer.ts';
import { pathSegment } from '../messages/encode.ts';
import type { Exchange } from '../messages/exchange.ts';
import type { Way } from '../targets/target.ts';

/** The two CSEs of a pair; a single one is the gateway. */
export type Site = 'gateway' | 'backend';

/** Something to remove, as it can be removed by who made it. */
export interface Created {
  readonly on: Site;
  readonly path: string;
  readonly originator: string | undefined;
  readonly way: Way;
}

interface Entry extends Created {
  /** By which whatever is removed is found again, however it is addressed then. */
  readonly canonical: string;
  removed: boolean;
}

/** What a request changes in the target. */
export interface Change {
  readonly kind: 'creates below' | 'creates' | 'removes';
  readonly path: string;
  /** The resource name that is asked for; the answer may tell another. */
  readonly name?: unknown;
}

export interface Addresses {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

/** What a scenario created, so that it can be taken away again, and what of that is gone already. */
export class Ledger {
  readonly #entries: Entry[] = [];
  readonly #addresses: Readonly<Partial<Record<Site, Addresses>>>;

  constructor(addresses: Readonly<Partial<Record<Site, Addresses>>>) {
    this.#addresses = addresses;
  }

  /** Takes note of what a request created or removed. Without an answer it may have created something as well. */
  note(change: Change, by: Omit<Created, 'path'>, exchange: Exchange): void {
    const { kind, path } = change;
    if (kind === 'removes') {
      if (isSuccess(exchange)) this.removed(path, by.on);
    } else if (isSuccess(exchange) || mayHaveWorked(exchange)) {
      this.#add(kind === 'creates' ? path : this.#createdPath(change, by.on, exchange), by);
    }
  }

  /** What is left to remove, the youngest first; `wholeTrees`: the oldest first, with which goes what is below it. */
  *toRemove(wholeTrees = false): Generator<Created> {
    const entries = wholeTrees ? this.#entries : this.#entries.toReversed();
    for (const entry of entries) if (!entry.removed) yield entry;
  }

  /** A path is gone, and with it everything below. */
  removed(path: string, on: Site): void {
    const gone = this.#canonical(path, on);
    const below = `${gone}/`;
    for (const entry of this.#entries) {
      if (entry.canonical === gone || entry.canonical.startsWith(below)) entry.removed = true;
    }
  }

  leftBehind(): string[] {
    return this.#entries
      .filter((entry) => !entry.removed)
      .map(({ path, on }) => (on === 'backend' ? `${path} on the backend` : path));
  }

  #add(path: string | undefined, by: Omit<Created, 'path'>): void {
    if (path === undefined) return;
    const known = this.#entries.some((entry) => entry.path === path && entry.on === by.on && !entry.removed);
    if (!known) this.#entries.push({ ...by, path, canonical: this.#canonical(path, by.on), removed: false });
  }

  /** By its name below the parent; the CSE base itself is the parent of what is posted to `/`. */
  #createdPath(change: Change, on: Site, exchange: Exchange): string | undefined {
    const { base = '', cseId = '' } = this.#addresses[on] ?? {};
    const attributes = viewOf(exchange).attributes;
    const name = [attributes?.rn, change.name].find(isName);
    const below = withoutQuery(change.path) || `/${base}`;
    if (name !== undefined) return `${below}/${pathSegment(name)}`;
    const identifier = attributes?.ri;
    const long = /^\/(~|_\/[^/]+)\/[^/]+/.exec(below)?.[0] ?? `/~/${cseId}`;
    return isName(identifier) ? `${long}/${pathSegment(identifier)}` : undefined;
  }

  /** The forms that name a CSE mean the same as the short one at that CSE; either of a pair reaches both. */
  #canonical(path: string, on: Site): string {
    const bare = withoutQuery(path);
    for (const [site, { cseId, spId }] of Object.entries(this.#addresses)) {
      const long = [`/~/${cseId}/`, `/_/${spId}/${cseId}/`].find((start) => bare.startsWith(start));
      if (long !== undefined) return `${site} /${bare.slice(long.length)}`;
    }
    return `${on} ${bare}`;
  }
}

function withoutQuery(path: string): string {
  return (path.split('?')[0] ?? '').replace(/\/+$/, '');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
}

/** A connection that TLS did not let through carried no request. */
function mayHaveWorked(exchange: Exchange): boolean {
  const { handshake = 'completed' } = exchange.tls ?? {};
  const cut = exchange.failure?.kind === 'tls' || handshake !== 'completed';
  return exchange.answer === undefined && !cut && !neverArrived(exchange);
}
