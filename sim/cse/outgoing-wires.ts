/** The wires over which a CSE sends. They may be added and removed while it runs. */

import { lazy } from '../core/memoize.ts';
import type { Wire } from '../dialects/http-message.ts';
import { type Sender, wireOf } from '../dialects/outgoing-message.ts';

export interface WireSender extends Sender {
  /** The URL of the connection to an entity without point of access; undefined where there is none. */
  connectionOf?(identifier: string): string | undefined;
}

export class OutgoingWires implements Sender {
  readonly #rest: Sender;
  readonly #senders = new Map<Wire, WireSender>();
  /** Targets that none of them sends to (`notifyDeny`). */
  readonly deny: readonly string[];

  /** `rest` sends what no other does. */
  constructor(rest: Sender, deny: readonly string[] = []) {
    this.#rest = rest;
    this.deny = deny;
  }

  /** From now on the sender sends to URLs of that wire. Returns a function that removes it. */
  add(wire: Wire, sender: WireSender): () => void {
    this.#senders.set(wire, sender);
    return () => {
      if (this.#senders.get(wire) === sender) this.#senders.delete(wire);
    };
  }

  send(...message: Parameters<Sender['send']>): ReturnType<Sender['send']> {
    const sender = this.#senders.get(wireOf(message[0]) ?? 'http') ?? this.#rest;
    return sender.send(...message);
  }

  readonly connectionOf = (identifier: string): string | undefined => {
    for (const sender of this.#senders.values()) {
      const connection = sender.connectionOf?.(identifier);
      if (connection !== undefined) return connection;
    }
    return undefined;
  };
}

/** A wire over which a CSE can be reached. */
export interface ServedWire extends AsyncDisposable {
  /** Such as `ws://127.0.0.1:8180`. */
  readonly url: string;
  /** Stops receiving and sending over it. May be called again. */
  close(): Promise<void>;
}

interface Serving {
  readonly cse: { readonly wires: OutgoingWires };
  readonly sender: WireSender;
  readonly url: string;
  readonly end: () => Promise<void>;
}

/** Adds a wire that listens already. */
export function servedOver(wire: Wire, { cse, sender, url, end }: Serving): ServedWire {
  const remove = cse.wires.add(wire, sender);
  const close = lazy(() => {
    remove();
    return end();
  });
  return { url, close, [Symbol.asyncDispose]: close };
}
