/** The wires by which a CSE sends. They may come and go while it lives. */

import type { Wire } from '../dialects/http-message.ts';
import { type Sender, wireOf } from '../dialects/outgoing-message.ts';

export interface WireSender extends Sender {
  /** Where requests go for an entity that has no point of access, but is connected; undefined where it is not. */
  connectionOf?(identifier: string): string | undefined;
}

export class OutgoingWires implements Sender {
  readonly #rest: Sender;
  readonly #senders = new Map<Wire, WireSender>();

  /** `rest` takes what no other does. */
  constructor(rest: Sender) {
    this.#rest = rest;
  }

  /** From now on the sender takes what goes to URLs of that wire. Returns what ends that. */
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
