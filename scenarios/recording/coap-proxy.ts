import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { CoapStream, identifier } from '../captures/coap-stream.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { packetIn, valuesOf } from '../engine/messages/coap-message.ts';
import { type Proxy as Listening, PendingRequests, type ProxyOptions } from './proxy.ts';
import { authority } from './relay.ts';

/** Most clients at the same time; the one silent for longest is forgotten first. */
const mostClients = 250;

/** Forwards datagrams to the target and back, with a port for each client (TS-0008). Rejects with a UsageError if it cannot listen, or cannot resolve the target's name. */
export async function startCoapProxy(options: ProxyOptions): Promise<Listening> {
  const { target, port, address = '127.0.0.1', onLost } = options;
  const { hostname, port: home } = new URL(target.description.url);
  const remote = await lookup(hostname.replace(/^\[|\]$/g, '')).catch((error: Error) => {
    throw new UsageError(`the target cannot be reached: ${error.message}`);
  });
  const server = socketFor(isIPv6(address));
  server.bind(port, address);
  await once(server, 'listening').catch((error: Error) => {
    throw new UsageError(`the proxy cannot listen: ${error.message}`);
  });
  server.on('error', ({ message }) => onLost(`an answer was lost: ${message}`));
  const relay = new DatagramRelay(server, { ...remote, port: Number(home || 5683) }, options);
  return { url: `coap://${hostOf(server.address())}`, close: () => relay.close() };
}

const socketFor = (isSix: boolean) => createSocket(isSix ? 'udp6' : 'udp4');

const hostOf = ({ address, port }: Pick<RemoteInfo, 'address' | 'port'>): string => authority(address, port);

/** Forwards datagrams unchanged. */
class DatagramRelay {
  readonly #server: Socket;
  readonly #remote: LookupAddress & { readonly port: number };
  readonly #onLost: ProxyOptions['onLost'];
  readonly #waiting: PendingRequests;
  readonly #stream: CoapStream;
  /** Sockets to the target, by client address. */
  readonly #clients = new Map<string, Promise<Socket>>();
  #count = 0;

  constructor(server: Socket, remote: LookupAddress & { readonly port: number }, options: ProxyOptions) {
    this.#server = server;
    this.#remote = remote;
    this.#onLost = options.onLost;
    this.#waiting = new PendingRequests(options);
    this.#stream = new CoapStream((captured) => this.#waiting.passed(captured));
    server.on('message', (bytes, client) => this.#forward(bytes, client));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(forget));
    await new Promise<void>((closed) => this.#server.close(closed));
    this.#waiting.end();
  }

  #forward(bytes: Buffer, client: RemoteInfo): void {
    const from = hostOf(client);
    const upstream = this.#clients.get(from) ?? this.#upstreamOf(client);
    this.#clients.delete(from);
    this.#clients.set(from, upstream);
    const [[oldest, its] = []] = this.#clients.size > mostClients ? this.#clients : [];
    if (oldest !== undefined && its !== undefined && this.#clients.delete(oldest)) void forget(its);
    this.#record(bytes, from, 'target');
    // A failed socket was reported; a forgotten one is closed.
    upstream.then((socket) => socket.send(bytes)).catch(() => this.#clients.delete(from));
  }

  async #upstreamOf(client: RemoteInfo): Promise<Socket> {
    const { address, family, port } = this.#remote;
    const upstream = socketFor(family === 6);
    upstream.on('error', ({ message }) => this.#onLost(`the target cannot be reached: ${message}`));
    upstream.on('message', (answer) => {
      this.#record(answer, 'target', hostOf(client));
      this.#server.send(answer, client.port, client.address);
    });
    upstream.connect(port, address);
    await once(upstream, 'connect');
    return upstream;
  }

  #record(payload: Buffer, from: string, to: string): void {
    const message = packetIn(payload);
    const [named] = message?.code.startsWith('0.') ? valuesOf(message.options, identifier).map(String) : [];
    if (named !== undefined) this.#waiting.begin(named);
    this.#count += 1;
    const packet = { number: this.#count, at: Date.now(), link: 0, bytes: Buffer.alloc(0) };
    this.#stream.take({ packet, from, to, payload }, true);
  }
}

const forget = (upstream: Promise<Socket>) => upstream.then((socket) => void socket.close()).catch(() => {});
