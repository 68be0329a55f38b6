import { isSuccess, neverArrived, viewOf } from './answer.ts';
import { pathSegment } from './encode.ts';
import type { Exchange } from './result.ts';

interface Entry {
  readonly path: string;
  readonly originator: string | undefined;
  removed: boolean;
}

/** What a request changes in the target. */
export interface Change {
  readonly kind: 'creates below' | 'creates' | 'removes';
  readonly path: string;
  /** The resource name that is asked for; the answer may tell another. */
  readonly name?: unknown;
  readonly originator: string | undefined;
}

interface Addresses {
  readonly base: string;
  readonly cseId: string;
  readonly spId: string;
}

/** What a scenario created, so that it can be taken away again, and what of that is gone already. */
export class Ledger {
  readonly #entries: Entry[] = [];
  readonly #addresses: Addresses;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  /** Takes note of what a request created or removed. Without an answer it may have created something as well. */
  note(change: Change, exchange: Exchange): void {
    const { kind, path, originator } = change;
    if (kind === 'removes') {
      if (isSuccess(exchange)) this.removed(path);
    } else if (isSuccess(exchange) || mayHaveWorked(exchange)) {
      this.#add(kind === 'creates' ? path : this.#createdPath(change, exchange), originator);
    }
  }

  /** What is left to remove, the youngest first. */
  *toRemove(): Generator<{ readonly path: string; readonly originator: string | undefined }> {
    for (const entry of this.#entries.toReversed()) if (!entry.removed) yield entry;
  }

  /** A path is gone, and with it everything below. */
  removed(path: string): void {
    const gone = this.#canonical(path);
    for (const entry of this.#entries) {
      const own = this.#canonical(entry.path);
      if (own === gone || own.startsWith(`${gone}/`)) entry.removed = true;
    }
  }

  leftBehind(): string[] {
    return this.#entries.filter((entry) => !entry.removed).map((entry) => entry.path);
  }

  #add(path: string | undefined, originator: string | undefined): void {
    if (path !== undefined && !this.#entries.some((entry) => entry.path === path && !entry.removed)) {
      this.#entries.push({ path, originator, removed: false });
    }
  }

  /** By its name below the parent; the CSE base itself is the parent of what is posted to `/`. */
  #createdPath(change: Change, exchange: Exchange): string | undefined {
    const attributes = viewOf(exchange).attributes;
    const name = [attributes?.rn, change.name].find(isName);
    const below = this.#withoutQuery(change.path) || `/${this.#addresses.base}`;
    if (name !== undefined) return `${below}/${pathSegment(name)}`;
    const identifier = attributes?.ri;
    return isName(identifier) ? `/~/${this.#addresses.cseId}/${pathSegment(identifier)}` : undefined;
  }

  #withoutQuery(path: string): string {
    return (path.split('?')[0] ?? '').replace(/\/+$/, '');
  }

  /** The forms that name the CSE mean the same as the short one. */
  #canonical(path: string): string {
    const { cseId, spId } = this.#addresses;
    const bare = this.#withoutQuery(path);
    const long = [`/~/${cseId}/`, `/_/${spId}/${cseId}/`].find((start) => bare.startsWith(start));
    return long === undefined ? bare : `/${bare.slice(long.length)}`;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== '.' && value !== '..';
}

function mayHaveWorked(exchange: Exchange): boolean {
  return exchange.answer === undefined && !neverArrived(exchange);
}
