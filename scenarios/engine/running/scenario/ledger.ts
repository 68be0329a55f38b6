import { type Holding, Holdings } from '../../../safety/holdings.ts';
import { reportedPaths } from '../../../safety/reported-paths.ts';
import { defined } from '../../basics/defined.ts';
import { isSuccess, neverArrived } from '../../judging/answer.ts';
import { decoded } from '../../messages/address.ts';
import type { Way } from '../../messages/target.ts';
import type { Exchange } from '../../results/exchange.ts';
import { type Installation, type MemberName, membersOf } from '../../targets/installation.ts';

/** A resource to remove, with the identity of its creator. */
export interface CreatedResource {
  readonly on: MemberName;
  readonly path: string;
  readonly originator: string | undefined;
  readonly way: Way;
  /** How often its creation succeeded: a target that accepts a name twice may hold as many. */
  readonly copies?: number;
}

/** The effect of a request on the target: it deletes a resource, or creates one below another. */
export type TargetChange =
  | { readonly removes: string }
  /** The answer may report another name than the requested one; `at`: a path known only from the target. */
  | { readonly in: string; readonly name?: string | undefined; readonly at?: string };

type Creation = Extract<TargetChange, { in: string }>;

/** What a scenario created and has to remove, and what of it is gone already. */
export class Ledger {
  readonly #holdings: Holdings;
  readonly #by = new Map<number, Omit<CreatedResource, 'path'>>();
  /** By site and path. */
  readonly #copies = new Map<string, number>();

  constructor(installation: Pick<Installation, MemberName>) {
    this.#holdings = new Holdings(undefined, membersOf(installation));
  }

  /** Records what a request created or deleted. Without an answer it may have created something as well. */
  note(change: TargetChange, by: Omit<CreatedResource, 'path'>, exchange: Exchange): void {
    if ('removes' in change) {
      if (isSuccess(exchange)) this.removed(change.removes, by.on);
    } else if (isSuccess(exchange) || mayHaveWorked(exchange)) this.#create(change, by, exchange);
  }

  /** What is left to remove, newest first; `wholeTrees`: oldest first, including everything below it. */
  *toRemove(wholeTrees = false): Generator<CreatedResource> {
    const left = this.#holdings.left();
    const tried = new Set<string>();
    for (const holding of wholeTrees ? left.reverse() : left) {
      const created = this.#createdBy(holding);
      if (created === undefined || !this.#holdings.isLeft(holding)) continue;
      const key = `${created.on} ${created.path}`;
      if (!tried.has(key)) yield created;
      tried.add(key);
    }
  }

  /** Records that a path is gone, with everything below. */
  removed(path: string, on: MemberName): void {
    this.#holdings.record({ kind: 'gone', on, path });
  }

  leftBehind(): string[] {
    const left = this.#holdings.left().reverse();
    const created = left.flatMap((holding) => this.#createdBy(holding) ?? []);
    return [...new Set(created.map(({ path, on }) => (on === 'backend' ? `${path} on the backend` : path)))];
  }

  #create({ in: parent, name, at }: Creation, by: Omit<CreatedResource, 'path'>, exchange: Exchange): void {
    const number = this.#by.size + 1;
    this.#by.set(number, by);
    if (name !== undefined && isSuccess(exchange)) {
      const copied = `${by.on} ${parent}/${name}`;
      this.#copies.set(copied, (this.#copies.get(copied) ?? 0) + 1);
    }
    const line = { kind: 'creating', number, on: by.on, in: parent, ...defined({ name }) } as const;
    this.#holdings.record(line);
    const paths = at === undefined ? reportedPaths(line, exchange, this.#holdings) : [at];
    this.#holdings.record({ kind: 'created', number, paths });
  }

  /** By its name, or by the path that the target reports. */
  #createdBy({ line, paths, claims }: Holding): CreatedResource | undefined {
    const by = this.#by.get(line.number);
    const path = paths[0] ?? [...claims.values()][0]?.path;
    if (by === undefined || path === undefined) return undefined;
    return { ...by, path, copies: this.#copies.get(`${by.on} ${path}`) ?? 1 };
  }
}

/** The creation of the resource at a path. */
export function creationAt(path: string): Creation {
  const bare = (path.split('?')[0] ?? '').replace(/\/+$/, '');
  const at = bare.lastIndexOf('/');
  return { in: bare.slice(0, at), name: decoded(bare.slice(at + 1)) };
}

/** A failed handshake carried no request. */
function mayHaveWorked(exchange: Exchange): boolean {
  const { handshake = 'completed' } = exchange.tls ?? {};
  const cut = exchange.failure?.kind === 'tls' || handshake !== 'completed';
  return exchange.answer === undefined && !cut && !neverArrived(exchange);
}
