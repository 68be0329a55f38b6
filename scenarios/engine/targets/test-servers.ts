import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A TCP server for one test that treats each connection as told; gives its URL. */
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

/** The body of a request, in full. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** The URL of a port at which nobody listens. */
export async function closedPort(t: TestContext): Promise<string> {
  const server = createServer();
  const url = await listening(t, server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

function listening(t: TestContext, server: Server): Promise<string> {
  t.after(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
