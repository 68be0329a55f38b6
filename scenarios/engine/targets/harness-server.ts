/** Servers of the harness for requests of a target, with common limits. */
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net';
import { UsageError } from '../basics/diagnostics.ts';
import { maskedHeaders } from '../messages/display.ts';
import { now, type RequestLimits, since } from '../messages/target.ts';
import type { ReceivedRequest } from '../results/exchange.ts';
import { BodyBytes } from './exchanging/body-bytes.ts';

/** Milliseconds for a whole request. */
const requestTimeout = 10_000;
/** Each may hold an incomplete request. */
const mostConnections = 250;
/** Octets of the longest request; the connection of a longer one is cut. */
const largestBody = 1024 * 1024;

/** An answer of the harness. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Undefined to close the connection without an answer, perhaps later. */
export type MaybeReply = Reply | undefined | Promise<undefined>;

/** The reply, if it does not wait. */
export function immediateReply(reply: MaybeReply): Reply | undefined {
  return reply instanceof Promise ? undefined : reply;
}

export interface ListenOptions extends Pick<RequestLimits, 'startedAt'> {
  /** The end of the sentence "the harness cannot listen …". */
  readonly purpose: string;
  /** Any free one when absent. */
  readonly port?: number;
  /** Undefined: every address. */
  readonly where: string | undefined;
  /** PEM texts, for HTTPS with an optional client certificate. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string } | undefined;
  readonly onRequest: (request: ReceivedRequest) => MaybeReply;
}

export interface HarnessServer {
  readonly server: Server;
  readonly port: number;
  /** For URLs. */
  readonly authority: string;
  readonly close: () => Promise<void>;
}

/** Rejects with a UsageError where it cannot listen. */
export async function listen(options: ListenOptions): Promise<HarnessServer> {
  const { purpose, port = 0, where, tls, startedAt, onRequest } = options;
  const limits = { requestTimeout, headersTimeout: requestTimeout };
  const server = tls
    ? createHttps({ ...limits, ...tls, requestCert: true, rejectUnauthorized: false, handshakeTimeout: requestTimeout })
    : createHttp(limits);
  server.maxConnections = mostConnections;
  server.on('request', (request, response) => {
    for (const one of [request, response]) one.on('error', () => {});
    read(request, startedAt)
      .then(onRequest)
      .then((reply) => {
        if (reply === undefined) response.destroy();
        else response.writeHead(reply.status, reply.headers).end(reply.body);
      })
      .catch(() => response.destroy());
  });
  return openServer(server, `the harness cannot listen ${purpose}`, port, where);
}

/** Makes a server listen; where it cannot, rejects with a UsageError that begins with `failure`. */
export async function openServer(server: Server, failure: string, port = 0, where?: string): Promise<HarnessServer> {
  const listening = once(server, 'listening');
  server.listen(port, where);
  await listening.catch(({ message }: Error) => {
    throw new UsageError(`${failure}: ${message}`);
  });
  server.on('error', () => {});
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port: bound, address, family } = server.address() as AddressInfo;
  return { server, port: bound, authority: `${family === 'IPv6' ? `[${address}]` : address}:${bound}`, close };
}

async function read(request: IncomingMessage, startedAt: number): Promise<ReceivedRequest> {
  const { method = '', url: path = '', rawHeaders } = request;
  const bytes = new BodyBytes(largestBody);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > largestBody) throw new RangeError('the request is too long');
  for await (const part of request as AsyncIterable<Buffer>)
    if (!bytes.add(part)) throw new RangeError('the request is too long');
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = maskedHeaders(names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const));
  const body = bytes.text(request.headers['content-type']);
  return { method, path, headers, ...(body !== '' && { body }), at: since(startedAt, now()) };
}

/** A port where nobody listens, nor can until it is closed: the near end of a connection holds it. */
export async function closedPort(where = '127.0.0.1'): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createTcp().listen(0, where);
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, where);
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  server.close();
  for (const end of [near, far]) end.on('error', () => {}).unref();
  const close = () => {
    for (const end of [near, far]) end.destroy();
  };
  return { port: near.localPort ?? 0, close };
}
