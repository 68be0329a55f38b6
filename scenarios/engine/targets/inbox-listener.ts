import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { UsageError } from '../files/diagnostics.ts';
import type { Inbox, Reply } from './inbox.ts';
import { hearMalformed, type MalformedRequest } from './malformed-requests.ts';

/** Milliseconds for a whole request. */
const patience = 10_000;
/** Each may hold a request that is being read. */
const mostConnections = 250;

export interface Hearing {
  /** A request that node could read. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** One that it could not: whom it was meant for shows only in the port at which it came. */
  readonly malformed: (request: MalformedRequest, reply: Reply, inbox: Inbox | undefined) => void;
}

/** A port at which one inbox at a time is listened for. */
export class InboxListener {
  /** Whose port it is now. */
  inbox: Inbox | undefined;
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** Rejects with a UsageError when it cannot listen. `where` is an address; undefined stands for every address. */
  static async open(where: string | undefined, { serve, malformed }: Hearing): Promise<InboxListener> {
    const server = createServer({ requestTimeout: patience, headersTimeout: patience }, (request, response) => {
      serve(request, response).catch(() => response.destroy());
    });
    server.maxConnections = mostConnections;
    const port = await listening(server, where);
    server.on('error', () => {});
    const listener = new InboxListener(server, port);
    hearMalformed(server, (request, socket) => malformed(request, replyAt(socket), listener.inbox));
    return listener;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A connection on which something malformed came is over after the answer. */
function replyAt(socket: Socket): Reply {
  let head = '';
  return {
    writeHead(status, headers) {
      const lines = Object.entries({ ...headers, 'Content-Length': '0', Connection: 'close' });
      head = [`HTTP/1.1 ${status} `, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
    },
    end: () => void (socket.writable ? socket.end(head) : socket.destroy()),
    destroy: () => socket.destroy(),
  };
}

export async function listening(server: Server, where: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = ({ message }: Error) =>
      reject(new UsageError(`the harness cannot listen for notifications: ${message}`));
    server.once('error', failed);
    server.listen(0, where, () => {
      server.off('error', failed);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
