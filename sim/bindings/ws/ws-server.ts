/**
 * Listens for WebSocket connections, at a port of its own: node gives a server that handles one Upgrade every other one too, such as those
 * to HTTP/2 that clients send with a first request and that the HTTP server ignores.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HttpRequest, HttpService } from '../../dialects/http-message.ts';
import { type HttpServerOptions, nodeOptions, pageRules } from '../http.ts';
import { type HttpLimits, limitsFrom } from '../limits.ts';
import { listenerOf, urlOf } from '../listener.ts';
import { guardedFromPages } from '../page-guard.ts';
import { incident, overLimit } from '../parse-error.ts';
import { contextOf, createTlsServer, objectionTo, peerOf, type TlsMaterial } from '../tls.ts';
import { formats } from './ws-connection.ts';

export interface Accepted {
  readonly socket: WebSocket;
  readonly from: Pick<HttpRequest, 'peer' | 'address'>;
  /** Ends the connection by a TCP reset, also where TLS runs over it. */
  readonly reset: () => void;
}

/** As for an HTTP server. The limit of a body applies to a message, and pages that may send requests may open connections. */
export interface WsServerOptions extends Omit<HttpServerOptions, 'detour'> {
  readonly onConnection: (accepted: Accepted) => void;
}

export interface WsServer {
  /** Such as `ws://127.0.0.1:8100`. */
  readonly url: string;
  renewTls(material: TlsMaterial): void;
  /** Cuts every connection, and has further ones refused, as if the process were gone. */
  suspend(): void;
  /** Listens again, at the same port; resolves when it does. */
  resume(): Promise<void>;
  /** Accepts no more connections, and cuts those that are left after a while. */
  close(): Promise<void>;
}

/** Rejects with node's error when the address cannot be listened on, a RangeError or a TlsMaterialError. */
export async function serveWs(options: WsServerOptions): Promise<WsServer> {
  const { tls, port = 0, interface: host = '127.0.0.1', onIncident = () => {}, onError = console.error } = options;
  const limits = limitsFrom(options.limits);
  const secure = tls && createTlsServer(nodeOptions(limits), tls, limits);
  const server = secure ?? createServer(nodeOptions(limits));
  if (limits.connections > 0) server.maxConnections = limits.connections;
  server.on('drop', (client) => onIncident(overLimit(client?.remoteAddress, limits)));
  server.on('request', (_request, response) =>
    response.writeHead(426, { Upgrade: 'websocket', Connection: 'Upgrade, close' }).end(),
  );
  const { cut, reset } = connectionsTo(server);
  const upgrade = upgradeBy(options, limits, reset);
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    const objection = objectionTo(socket as Socket);
    if (objection === undefined) return upgrade(message, socket, head);
    onIncident(incident(socket as Socket, `the client's certificate cannot be verified: ${objection}`));
    socket.destroy();
  });
  server.listen({ port, host });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const listener = listenerOf(server, { port: address.port, host }, { onIncident, onError });
  return {
    url: urlOf(secure ? 'wss' : 'ws', address),
    renewTls: (material) => secure?.setSecureContext(contextOf(material)),
    suspend() {
      listener.stop();
      cut();
    },
    resume: () => listener.resume(),
    close() {
      listener.end();
      return closed(server, cut, limits.closeMilliseconds);
    },
  };
}

/** The TCP connections, also below TLS. */
function connectionsTo(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    cut(): void {
      for (const socket of sockets) socket.destroy();
    },
    reset({ remoteAddress, remotePort }: Socket): void {
      const isIts = (one: Socket) => one.remoteAddress === remoteAddress && one.remotePort === remotePort;
      [...sockets].find(isIts)?.resetAndDestroy();
    },
  };
}

type Upgrade = (message: IncomingMessage, socket: Duplex, head: Buffer) => void;

function upgradeBy(options: WsServerOptions, { bodyBytes }: HttpLimits, reset: (client: Socket) => void): Upgrade {
  const handshakes = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: bodyBytes },
    // In the order of the client's preference (TS-0020, clause 6.2.2.7).
    handleProtocols: (offered) => [...offered].find((name) => formats.has(name)) ?? false,
  });
  const guard = guardedFromPages(acceptAll, pageRules(acceptAll, options));
  return (message, socket, head) => {
    const { method = '', url = '', headers, socket: client } = message;
    const request = { method, target: url, headers: headers as HttpRequest['headers'], body: new Uint8Array(0) };
    Promise.resolve(refusalOf(message) ?? guard.handle(request)).then(({ status, body }) => {
      if (status !== switching) return refuse(socket, status, String(body));
      const peer = peerOf(client);
      const from = { address: client.remoteAddress ?? '', ...(peer && { peer }) };
      const about = { from, reset: () => reset(client) };
      handshakes.handleUpgrade(message, socket, head, (opened) => options.onConnection({ socket: opened, ...about }));
    });
  };
}

const switching = 101;
const acceptAll: HttpService = {
  handle: () => ({ status: switching, headers: {}, body: '' }),
  refuse: ({ message, status, http = status.http }) => ({ status: http, headers: {}, body: message }),
};

/** Checks the handshake of a client (TS-0020, clauses 6.2.2.1 and 6.2.2.7). */
function refusalOf({
  url = '',
  headers,
}: IncomingMessage): { readonly status: number; readonly body: string } | undefined {
  if (!/^\/?(\?|$)/.test(url))
    return { status: 404, body: 'The target of the handshake is / (TS-0020, clause 6.2.2.1).' };
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (offered.some((name) => formats.has(name))) return undefined;
  return {
    status: 400,
    body: `The subprotocols here are ${[...formats.keys()].join(' and ')} (TS-0020, clause 6.2.2.9).`,
  };
}

function refuse(socket: Duplex, status: number, why: string): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...['Connection: close', 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(why)}`],
  ];
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${why}`, () => socket.destroy());
}

function closed(server: Server, cut: () => void, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(cut, milliseconds);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
