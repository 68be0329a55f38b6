/** A CSE over WebSocket (TS-0020): it listens, and sends requests over connections that others or itself have opened. */

import { isIP } from 'node:net';
import { WebSocket } from 'ws';
import { getOrTry } from '../../core/memoize.ts';
import { type OutgoingAnswer, reasonOf, type Sender, UnreachableError } from '../../dialects/outgoing-message.ts';
import { defined } from '../../environment/defined.ts';
import type { OutgoingTls } from '../client.ts';
import { deniedTarget, lookupBut, type TargetRules } from '../target-rules.ts';
import type { TlsMaterial } from '../tls.ts';
import type { Carriage, Format } from '../whole-primitives.ts';
import { formats, type WsConnection, type WsLink } from './ws-connection.ts';
import { goingAway, usualTimeout, WsConnections, type WsConnectionsOptions } from './ws-connections.ts';
import { type Accepted, serveWs, type WsServer, type WsServerOptions } from './ws-server.ts';

interface WsOptions extends Omit<WsServerOptions, 'onConnection'>, Omit<WsConnectionsOptions, 'onError'> {
  /** For connections that it opens. */
  readonly outgoing?: OutgoingTls;
  /** Which targets are denied; none unless given. */
  readonly targets?: TargetRules;
  /** Milliseconds between two pings; 30,000 unless given. A peer that has not answered one until the next is cut off. */
  readonly pingMilliseconds?: number;
}

export class WsEndpoint implements Sender {
  readonly #options: WsOptions;
  readonly #connections: WsConnections;
  readonly #links = new Set<SocketLink>();
  /** Those that it has opened, by their URLs. */
  readonly #opened = new Map<string, Promise<WsConnection>>();
  readonly #pings: NodeJS.Timeout;
  #server: WsServer | undefined;

  private constructor(options: WsOptions) {
    this.#options = options;
    this.#connections = new WsConnections(options, (url) => this.#to(url));
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

  /** The target of requests for an entity without a point of access; undefined where it is not connected. */
  connectionOf(identifier: string): string | undefined {
    return this.#connections.connectionOf(identifier);
  }

  send(...message: Parameters<Sender['send']>): Promise<OutgoingAnswer> {
    return this.#connections.send(...message);
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

  /** By closing handshakes; a peer that does not answer in time is cut off. */
  async close(): Promise<void> {
    clearInterval(this.#pings);
    this.#connections.close(goingAway);
    await this.#server?.close();
    this.#connections.cut();
  }

  #accept({ socket, from, reset }: Accepted): void {
    this.#attach(socket, { where: `the connection from ${from.address}`, from }, reset);
  }

  #attach(socket: WebSocket, about: Parameters<WsConnections['add']>[1], reset?: () => void): WsConnection {
    const link = new SocketLink(socket, reset);
    const connection = this.#connections.add(link, about);
    this.#links.add(link);
    socket.on('message', (data, isBinary) => connection.receive(data as Buffer, isBinary));
    socket.on('close', () => {
      this.#links.delete(link);
      connection.end();
    });
    return connection;
  }

  #to(url: string): Promise<WsConnection> {
    return getOrTry(this.#opened, url, () => this.#open(url));
  }

  #open(url: string): Promise<WsConnection> {
    const { timeout = usualTimeout, outgoing = {}, cse } = this.#options;
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
        // No clause requires it, but a deployed CSE refuses requests without it.
        headers: { 'X-M2M-Origin': `/${cse().core.configuration.cseId}` },
        ...(url.startsWith('wss:') && { ...defined(material), rejectUnauthorized: !insecure }),
        ...denied.options,
      });
      socket.once('error', failed);
      socket.once('open', () => resolve(this.#attach(socket, { where: url })));
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
    for (const link of this.#links) link.ping();
  }
}

/** An open socket, which is cut when nobody answers a ping. */
class SocketLink implements WsLink {
  readonly format: Format;
  readonly reset: (() => void) | undefined;
  readonly #socket: WebSocket;
  /** Whether anything was received since the last ping. */
  #isAlive = true;

  constructor(socket: WebSocket, reset: (() => void) | undefined) {
    this.#socket = socket;
    this.reset = reset;
    this.format = formats.get(socket.protocol) ?? 'json';
    const alive = () => {
      this.#isAlive = true;
    };
    socket.on('message', alive);
    socket.on('pong', alive);
    // It is followed by the close.
    socket.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(payload: string | Uint8Array, { otherFrames, inPieces }: Carriage = {}): void {
    // The socket writes octets faster than a text.
    const octets = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const binary = (this.format === 'cbor') !== (otherFrames === true);
    const half = inPieces ? octets.length >> 1 : 0;
    if (inPieces) this.#socket.send(octets.subarray(0, half), { binary, fin: false });
    this.#socket.send(octets.subarray(half), { binary });
    if (this.#socket.bufferedAmount > mostUnsent) this.#socket.terminate();
  }

  close(code: number): void {
    this.#socket.close(code);
  }

  cut(): void {
    this.#socket.terminate();
  }

  /** Ends it where the last one was not answered. */
  ping(): void {
    if (!this.#isAlive) this.#socket.terminate();
    else if (this.isOpen) this.#socket.ping();
    this.#isAlive = false;
  }
}

const usualPing = 30_000;
/** Octets of a message over a connection that it has opened, and of what waits to be sent over one. */
const largestAnswer = 16 * 1024 * 1024;
const mostUnsent = largestAnswer;
