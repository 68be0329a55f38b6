import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type CertificatePair, shipped } from '../../../certs/shipped.ts';
import type { ClientCertificate } from '../messages/target.ts';
import type { Trust } from '../messages/tls.ts';
import { closedPort as heldPort } from './harness-server.ts';

/** A TCP server for one test that handles connections with `treat`; returns its URL. */
export function tcpServer(t: TestContext, treat: (socket: Socket) => void): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    treat(socket);
  });
  return listening(t, server);
}

/** An HTTP server for one test. */
export function httpServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  t.after(() => server.closeAllConnections());
  return listening(t, server);
}

/** The shipped chain, which verifies the servers of these tests. */
export const trust: Trust = { ca: readFileSync(shipped.chain, 'utf8'), caFile: 'certs/ca-chain.cert.pem' };

/** An HTTPS server for one test, by default with the shipped certificate of the gateway. */
export function httpsServer(t: TestContext, options: ServerOptions, listener: RequestListener): Promise<string> {
  const { ca = '' } = trust;
  const own = pem(shipped.certificate('mn-cse-1-client-server'));
  const server = createHttpsServer({ ...own, ca, ...options }, listener);
  server.on('tlsClientError', () => {});
  t.after(() => server.closeAllConnections());
  return listening(t, server, 'https');
}

/** The texts of a certificate and its key. */
export function pem({ cert, key }: CertificatePair): { readonly cert: string; readonly key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** A shipped certificate for clients. */
export function clientCertificate(name: ClientCertificate['name'], files: CertificatePair): ClientCertificate {
  return { name, identity: pem(files), uris: [], files };
}

/** The body of a request, in full. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** The URL of a port where nobody listens, nor can while the test lasts. */
export async function closedPort(t: TestContext): Promise<string> {
  const { port, close } = await heldPort();
  t.after(close);
  return `http://127.0.0.1:${port}`;
}

function listening(t: TestContext, server: Server, scheme = 'http'): Promise<string> {
  t.after(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
