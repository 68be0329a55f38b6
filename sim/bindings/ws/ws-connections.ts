/** The WebSocket connections of one CSE, and which entity is reached over which (TS-0020, clauses 5.2 and 6.4). */

import { canonical } from '../../core/originator.ts';
import type { HttpRequest } from '../../dialects/http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { receiverIn } from '../../dialects/target.ts';
import type { MessageDetourFor } from '../detour.ts';
import { type ConnectedCse, WsConnection, type WsLink } from './ws-connection.ts';

/** Stands for the connection of an AE without a point of access: a reserved name (RFC 6761). */
const overConnection = 'ws://connection.invalid';

export interface WsConnectionsOptions {
  /** The CSE; called when the first message arrives. */
  readonly cse: () => ConnectedCse;
  /** Milliseconds for one request with its answer; 5,000 unless given. */
  readonly timeout?: number;
  /** How the wire disturbs requests and their answers. */
  readonly detour?: MessageDetourFor;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
}

export class WsConnections implements Sender {
  readonly #options: WsConnectionsOptions;
  readonly #open: ((url: string) => Promise<WsConnection>) | undefined;
  readonly #all = new Set<WsConnection>();
  /** By the canonical identifiers of the entities served over them last. */
  readonly #byEntity = new Map<string, WsConnection>();

  /** `open` connects to other entities; without it none is reached. */
  constructor(options: WsConnectionsOptions, open?: (url: string) => Promise<WsConnection>) {
    this.#options = options;
    this.#open = open;
  }

  /** Adds a connection, whose `receive` and `end` the caller calls. */
  add(link: WsLink, about: { readonly where: string; readonly from?: Pick<HttpRequest, 'peer' | 'address'> }) {
    const { cse, timeout = usualTimeout, onError = console.error, detour } = this.#options;
    const connection: WsConnection = new WsConnection(link, {
      ...{ ...about, cse, timeout, onError, detour },
      onServed: (identifier) => this.#byEntity.set(this.#canonical(identifier), connection),
      onEnd: () => {
        this.#all.delete(connection);
        for (const [identifier, one] of this.#byEntity) if (one === connection) this.#byEntity.delete(identifier);
      },
    });
    this.#all.add(connection);
    return connection;
  }

  /** The target of requests for an entity without a point of access; undefined where it is not connected. */
  connectionOf(identifier: string): string | undefined {
    return this.#connected(identifier) && overConnection;
  }

  async send(url: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const receiver = request.receiver ?? receiverIn(request.target);
    // There is one connection between two nodes (TS-0020, clause 5.2), whoever opened it.
    const known = receiver === undefined ? undefined : this.#connected(receiver);
    const connection = known ?? (await this.#to(url));
    return connection.ask(request, signal);
  }

  /** By closing handshakes, when pending requests are answered. */
  close(code: number): void {
    for (const connection of this.#all) connection.close(code);
  }

  cut(): void {
    for (const connection of this.#all) connection.cut();
  }

  #connected(identifier: string): WsConnection | undefined {
    const connection = this.#byEntity.get(this.#canonical(identifier));
    return connection?.isOpen ? connection : undefined;
  }

  #canonical(identifier: string): string {
    return canonical(identifier, this.#options.cse().core.configuration);
  }

  async #to(url: string): Promise<WsConnection> {
    if (this.#open === undefined || url === overConnection) {
      throw new UnreachableError(`${url}: the entity is not connected any more`);
    }
    return this.#open(url);
  }
}

export const usualTimeout = 5_000;
/** RFC 6455, clause 7.4.1. */
export const goingAway = 1001;
