/** A CSE over WebSocket (TS-0020): it listens, and asks over connections that others have opened, or that it opens itself. */

import { isIP } from 'node:net';
import { WebSocket } from 'ws';
import { canonical } from '../../core/originator.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../../dialects/outgoing-message.ts';
import { receiverIn } from '../../dialects/target.ts';
import { defined } from '../../environment/defined.ts';
import type { OutgoingTls } from '../client.ts';
import type { MessageDetourFor } from '../detour.ts';
import { deniedTarget, lookupBut, type TargetRules } from '../target-rules.ts';
import type { TlsMaterial } from '../tls.ts';
import { type Speaker, WsConnection } from './ws-connection.ts';
import { type Accepted, serveWs, type WsServer, type WsServerOptions } from './ws-server.ts';

interface WsOptions extends Omit<WsServerOptions, 'onConnection'> {
  /** Who speaks; asked when the first message comes. */
  readonly speaker: () => Speaker;
  /** What becomes of requests and their answers, where the wire is disturbed. */
  readonly detour?: MessageDetourFor;
  /** For connections that it opens. */
  readonly outgoing?: OutgoingTls;
  /** Where it opens none; everything is reached unless given. */
  readonly targets?: TargetRules;
  /** Milliseconds for one request with its answer, and for a connection; 5,000 unless given. */
  readonly timeout?: number;
  /** Milliseconds between two pings; 30,000 unless given. Who has not answered one until the next is gone. */
  readonly pingMilliseconds?: number;
}

/** Stands for the connection of an application entity that has no point of access: a name that nothing has (RFC 6761). */
export const overConnection = 'ws://connection.invalid';

export class WsEndpoint implements Sender {
  readonly #options: WsOptions;
  readonly #connections = new Set<WsConnection>();
  /** By the identifiers of those who were served over them last, canonical. */
  readonly #byEntity = new Map<string, WsConnection>();
  /** Those that it has opened, by their URLs. */
  readonly #opened = new Map<string, Promise<WsConnection>>();
  readonly #pings: NodeJS.Timeout;
  #server: WsServer | undefined;

  private constructor(options: WsOptions) {
    this.#options = options;
    const pings = setInterval(() => this.#ping(), options.pingMilliseconds ?? usualPing);
    this.#pings = pings.unref();
  }

  /** Rejects with node's error, a RangeError or a TlsMaterialError. */
  static async listen(options: WsOptions): Promise<WsEndpoint> {
    const endpoint = new WsEndpoint(options);
    try {
      endpoint.#server = await serveWs({ ...options, onConnection: (one) => endpoint.#accept(one) });
      return endpoint;
    } catch (error) {
      await endpoint.close();
      throw error;
    }
  }

  /** Such as `ws://127.0.0.1:8100`. */
  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Where requests for the entity go that has no point of access; undefined where it is not connected. */
  connectionOf(identifier: string): string | undefined {
    return this.#connected(identifier) && overConnection;
  }

  async send(url: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const receiver = request.receiver ?? receiverIn(request.target);
    // There is one connection between two nodes (TS-0020, clause 5.2), whoever has opened it.
    const known = receiver === undefined ? undefined : this.#connected(receiver);
    const connection = known ?? (await this.#to(url));
    return connection.ask(request, signal);
  }

  renewTls(material: TlsMaterial): void {
    this.#server?.renewTls(material);
  }

  /** Cuts every connection that was opened to it, and refuses others, until `resume`. */
  suspend(): void {
    this.#server?.suspend();
  }

  async resume(): Promise<void> {
    await this.#server?.resume();
  }

  /** By closing handshakes; who does not answer one in time is cut off. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    for (const connection of this.#connections) connection.close(goingAway);
    await this.#server?.close();
    for (const connection of this.#connections) connection.cut();
  }

  #connected(identifier: string): WsConnection | undefined {
    const connection = this.#byEntity.get(canonical(identifier, this.#options.speaker().identity));
    return connection?.isOpen ? connection : undefined;
  }

  #accept({ socket, from, reset }: Accepted): void {
    this.#take(socket, { where: `the connection from ${from.address}`, from, reset });
  }

  #take(socket: WebSocket, about: { readonly where: string } & Partial<Omit<Accepted, 'socket'>>): WsConnection {
    const { speaker, timeout = usualTimeout, onError = console.error, detour } = this.#options;
    const connection: WsConnection = new WsConnection(socket, {
      ...{ ...about, speaker, timeout, mostUnsent, onError, detour },
      onServed: (identifier) => this.#byEntity.set(canonical(identifier, speaker().identity), connection),
    });
    this.#connections.add(connection);
    socket.on('close', () => {
      this.#connections.delete(connection);
      for (const [identifier, one] of this.#byEntity) if (one === connection) this.#byEntity.delete(identifier);
    });
    return connection;
  }

  async #to(url: string): Promise<WsConnection> {
    if (url === overConnection) throw new UnreachableError(`${url}: the entity is not connected any more`);
    const known = this.#opened.get(url);
    if (known !== undefined) return known;
    const made = this.#open(url);
    this.#opened.set(url, made);
    const forget = () => this.#opened.delete(url);
    // The next request tries it again.
    made.catch(forget);
    return made;
  }

  #open(url: string): Promise<WsConnection> {
    const { timeout = usualTimeout, outgoing = {}, speaker } = this.#options;
    const { insecure = false, ...material } = outgoing;
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(new UnreachableError(`${url}: ${reasonOf(error)}`, { cause: error }));
      const denied = this.#deniedBy(url);
      if (denied.error) {
        failed(denied.error);
        return;
      }
      const socket = new WebSocket(url, ['oneM2M.json'], {
        ...{ handshakeTimeout: timeout, maxPayload: largestAnswer, perMessageDeflate: false },
        // No clause asks for it, and a deployed CSE takes requests of nobody else.
        headers: { 'X-M2M-Origin': `/${speaker().identity.cseId}` },
        ...(url.startsWith('wss:') && { ...defined(material), rejectUnauthorized: !insecure }),
        ...denied.options,
      });
      socket.once('error', failed);
      socket.once('open', () => resolve(this.#take(socket, { where: url })));
      socket.once('close', () => {
        this.#opened.delete(url);
        failed(new Error('the connection was closed'));
      });
    });
  }

  #deniedBy(url: string) {
    const { protocol, host, hostname } = new URL(url);
    const isDenied = this.#options.targets?.of(`${protocol.replace('ws', 'http')}//${host}`);
    if (isDenied === undefined) return {};
    const name = hostname.replace(/^\[|\]$/g, '');
    if (isIP(name) > 0 && isDenied(name)) return { error: deniedTarget(name) };
    return { options: { lookup: lookupBut(isDenied) } };
  }

  #ping(): void {
    for (const connection of this.#connections) connection.ping();
  }
}

const usualTimeout = 5_000;
const usualPing = 30_000;
/** Octets of a message that comes over a connection that it has opened, and of what waits to be sent over one. */
const largestAnswer = 16 * 1024 * 1024;
const mostUnsent = largestAnswer;
/** RFC 6455, clause 7.4.1. */
const goingAway = 1001;

function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: unknown; message?: string; errors?: unknown[] };
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return message || String(code ?? error);
}
