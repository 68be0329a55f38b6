import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { overWs, PrimitivePairing } from '../captures/primitive-pairing.ts';
import { ownValue } from '../engine/basics/own-value.ts';
import { tlsOptions } from '../engine/messages/tls.ts';
import { openServer } from '../engine/targets/harness-server.ts';
import { isRequest, readWhole } from '../engine/targets/wires/whole-message.ts';
import { largest } from '../engine/targets/wires/ws-session.ts';
import { type Proxy as Listening, PendingRequests, type ProxyOptions } from './proxy.ts';
import { authority } from './relay.ts';

/** Forwards WebSocket messages to the target and back (TS-0020), in the subprotocol of both. Rejects with a UsageError if it cannot listen. */
export async function startWsProxy(options: ProxyOptions): Promise<Listening> {
  const { tls, port, address = '127.0.0.1' } = options;
  const demanding = tls?.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
  const server = tls === undefined ? createPlainServer() : createTlsServer({ ...tls, ...demanding });
  const listening = await openServer(server, 'the proxy cannot listen', port, address);
  const open = new Set<WebSocket>();
  server.on('request', (_request, response) => void response.writeHead(426, { Upgrade: 'websocket' }).end());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('upgrade', (request, socket, head) => connect({ request, socket, head }, options, open));
  return {
    url: `${tls === undefined ? 'ws' : 'wss'}://${authority(address, listening.port)}`,
    async close() {
      for (const socket of open) socket.terminate();
      await listening.close();
    },
  };
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Answers the client once the target accepts the connection, with its subprotocol. */
function connect({ request, socket, head }: Upgrade, options: ProxyOptions, open: Set<WebSocket>): void {
  const upstream = connectionFor(request, options);
  if (upstream === undefined) {
    refuse(socket, '400 Bad Request');
    return;
  }
  let isJoined = false;
  open.add(upstream);
  socket.on('error', () => upstream.terminate());
  socket.on('close', () => isJoined || upstream.terminate());
  upstream.on('close', () => open.delete(upstream));
  upstream.on('error', ({ message }) => {
    if (isJoined || !socket.destroyed) options.onLost(`the connection to the target failed: ${message}`);
    if (!isJoined) refuse(socket, '502 Bad Gateway');
  });
  upstream.once('open', () => {
    const handleProtocols = () => upstream.protocol || false;
    const server = new WebSocketServer({ ...limits, noServer: true, handleProtocols });
    server.handleUpgrade(request, socket, head, (client) => {
      isJoined = true;
      join(client, upstream, options);
    });
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

/** RFC 9110, clause 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;
const limits = { maxPayload: largest, perMessageDeflate: false } as const;

/** Undefined if the client offers invalid or duplicate subprotocols (RFC 6455, clause 4.1). */
function connectionFor({ headers }: IncomingMessage, { target, timeout }: ProxyOptions): WebSocket | undefined {
  const { url } = target.description;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/).filter((name) => name !== '');
  const handedOn = ['x-m2m-origin', 'authorization'].flatMap((name) => {
    const value = ownValue(headers, name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  if (new Set(offered).size < offered.length || !offered.every((name) => token.test(name))) return undefined;
  return new WebSocket(url, offered, {
    ...{ ...limits, handshakeTimeout: timeout, headers: Object.fromEntries(handedOn) },
    ...(url.startsWith('wss:') && (tlsOptions(target.trust, target.own, undefined) as ClientOptions)),
  });
}

/** Forwards messages unchanged. */
function join(client: WebSocket, upstream: WebSocket, options: ProxyOptions): void {
  const recorded = new WsRecording(options);
  for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
    from.on('message', (data, isBinary) => {
      to.send(data, { binary: isBinary });
      recorded.take(data as Buffer, isBinary, from === client);
    });
    from.on('error', () => to.terminate());
    from.on('close', (code, reason) => {
      // Two codes are never sent (RFC 6455, clause 7.4.1).
      if (code === 1006) to.terminate();
      else if (code === 1005) to.close();
      else to.close(code, reason);
    });
  }
  client.on('close', () => recorded.end());
}

/** Records the exchanges of one connection, if they are JSON or CBOR. */
class WsRecording {
  readonly #options: ProxyOptions;
  readonly #pairing: PrimitivePairing;
  readonly #waiting: PendingRequests;
  #count = 0;
  #isUnread = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#waiting = new PendingRequests(options);
    this.#pairing = new PrimitivePairing((captured) => this.#waiting.passed(captured));
  }

  take(data: Buffer, isBinary: boolean, isOfClient: boolean): void {
    const { target, onLost } = this.#options;
    const message = readWhole(data);
    const isUnread = message.payload !== 'JSON' && message.payload !== 'CBOR';
    if (isUnread && !this.#isUnread) onLost('messages that are neither JSON nor CBOR are forwarded, but not recorded');
    this.#isUnread ||= isUnread;
    if (isOfClient && isRequest(message)) this.#waiting.begin(String(message.request.rqi));
    this.#count += 1;
    const packet = { number: this.#count, at: Date.now(), link: 0, bytes: Buffer.alloc(0) };
    this.#pairing.onMessage(data, packet, overWs(target.description.url, isOfClient, isBinary ? 'binary' : 'text'));
  }

  end(): void {
    this.#waiting.end();
  }
}
