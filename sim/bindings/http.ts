/** The HTTP binding over sockets: HTTP/1.1 and HTTP/1.0, plain or over TLS. */
import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { lazy } from '../core/memoize.ts';
import type { HttpService } from '../dialects/http-message.ts';
import { checkService } from './admission.ts';
import type { DetourFor } from './detour.ts';
import { HttpShell } from './http-shell.ts';
import { IncomingRequest } from './incoming-request.ts';
import { type HttpLimits, limitsFrom } from './limits.ts';
import { listenerOf, urlOf } from './listener.ts';
import { guardedFromPages, type PageRules } from './page-guard.ts';
import { overLimit } from './parse-error.ts';
import { contextOf, createTlsServer, type TlsMaterial, type TlsOptions } from './tls.ts';

export type { TlsMaterial } from './tls.ts';

export interface HttpServerOptions {
  /** 0, or none given: a free port. */
  readonly port?: number;
  /** Address to listen on, 127.0.0.1 unless given; '::' takes IPv4 and IPv6. */
  readonly interface?: string;
  readonly limits?: Partial<HttpLimits>;
  /** Origins whose pages may use the server (CORS), `*` for all; those that the service names unless given, else none. */
  readonly cors?: readonly string[];
  /** Names of a server on the loopback interface beside `localhost` and addresses. Others are refused there. */
  readonly hosts?: readonly string[];
  /** HTTPS instead of HTTP. */
  readonly tls?: TlsOptions;
  /** Called with every failure of the service; the client gets no more than a 500. Writes to the error console unless given. */
  readonly onError?: (error: unknown) => void;
  /** Called with one line for each connection that went wrong. */
  readonly onIncident?: (line: string) => void;
  /** Disturbs answers on their way; none unless given. */
  readonly detour?: DetourFor;
}

export interface HttpServer {
  /** Usable as it is: IPv6 in brackets, loopback when the server listens on every address. No slash at the end. */
  readonly url: string;
  readonly port: number;
  /**
   * New handshakes use this; connections that exist go on. Throws a TlsMaterialError for what does not fit, and keeps what
   * there was; a TypeError where the server speaks plain HTTP.
   */
  renewTls(material: TlsMaterial): void;
  /** Closes the connections on which nothing is under way. */
  closeIdle(): void;
  /** Resets the next connection as soon as it is there. */
  refuseNext(): void;
  /** Cuts every connection, and has further ones refused, as if the process were gone. */
  suspend(): void;
  /** Listens again, at the same port; resolves when it does. */
  resume(): Promise<void>;
  /** Takes no more connections, lets running requests finish for a bounded time, then resolves. May be called again. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const usualHost = '127.0.0.1';

/** Rejects with node's error when the address cannot be listened on, with a RangeError when a limit is no whole number,
 * with a TlsMaterialError when key and certificates cannot be used. */
export async function serveHttp(service: HttpService, options: HttpServerOptions = {}): Promise<HttpServer> {
  checkService(service);
  return serveUnguarded(guardedFromPages(service, pageRules(service, options)), options);
}

/** The same for a service that decides itself what pages in a browser may do there. */
export async function serveUnguarded(service: HttpService, options: HttpServerOptions): Promise<HttpServer> {
  const limits = limitsFrom(options.limits);
  const { tls } = options;
  const secure = tls === undefined ? undefined : createTlsServer(nodeOptions(limits), tls, limits);
  const server = secure ?? createServer(nodeOptions(limits));
  // What else node has by default: two thousand headers (ours are counted), and an answer cut when the client half-closes.
  Object.assign(server, { maxHeadersCount: 0, httpAllowHalfOpen: true });
  if (limits.connections > 0) server.maxConnections = limits.connections;
  const onError = options.onError ?? console.error;
  const { onIncident = () => {}, detour } = options;
  server.on('drop', (client) => onIncident(overLimit(client?.remoteAddress, limits)));
  const host = options.interface ?? usualHost;
  const shell = new HttpShell(server, service, limits, { onError, onIncident, detour, overlooks: tls?.overlooks });
  server.listen({ port: options.port ?? 0, host });
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const listener = listenerOf(server, { port: address.port, host }, { onIncident, onError });
  const close = lazy(() => {
    listener.end();
    return shell.close();
  });
  const suspend = (): void => {
    listener.stop();
    shell.cut();
  };
  const renewTls = (material: TlsMaterial): void => {
    if (secure === undefined) throw new TypeError('this server speaks plain HTTP');
    secure.setSecureContext(contextOf(material));
  };
  const url = urlOf(secure === undefined ? 'http' : 'https', address);
  const { port } = address;
  const [closeIdle, resume] = [() => server.closeIdleConnections(), () => listener.resume()];
  const refuseNext = () => void server.prependOnceListener('connection', (socket: Socket) => socket.resetAndDestroy());
  return { url, port, renewTls, closeIdle, refuseNext, suspend, resume, close, [Symbol.asyncDispose]: close };
}

export function nodeOptions(limits: HttpLimits): ServerOptions<typeof IncomingRequest> {
  return {
    IncomingMessage: IncomingRequest,
    // The parser counts target and headers together. Below this bound the binding checks each exactly.
    maxHeaderSize: limits.targetBytes + limits.headerBytes + 1,
    joinDuplicateHeaders: true,
    // Checked by the binding, so that the refusal has the service's shape.
    requireHostHeader: false,
    headersTimeout: limits.requestMilliseconds,
    requestTimeout: limits.requestMilliseconds,
    connectionsCheckingInterval: Math.min(1_000, Math.max(10, Math.ceil(limits.requestMilliseconds / 10))),
    keepAliveTimeout: limits.idleMilliseconds,
  };
}

/** The name in a certificate already tells an attacker's name from ours. */
export function pageRules(service: Pick<HttpService, 'cors'>, options: HttpServerOptions): PageRules {
  const { cors, hosts = [], tls, interface: host = usualHost } = options;
  const isLoopback = /^(?:127\.|::1$|localhost$)/.test(host);
  return { cors: cors ?? service.cors ?? [], hosts: isLoopback && tls === undefined ? hosts : undefined };
}
