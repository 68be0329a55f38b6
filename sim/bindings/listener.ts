/** A listener that can be suspended: the system itself refuses connections meanwhile. */

import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';

/** Milliseconds of the system's time until a port that is taken meanwhile is tried again. */
const pause = 100;

interface ListenerHooks {
  /** Called once for each time that the port is taken when it resumes. */
  readonly onIncident: (line: string) => void;
  readonly onError: (error: unknown) => void;
}

/** For a server that listens there. */
export function listenerOf(server: Server, address: Address, { onIncident, onError }: ListenerHooks) {
  const over = new AbortController();
  // A port that is taken when it resumes is waited for.
  server.on('error', (error) => void (isPortTaken(error) || onError(error)));
  return {
    /** Stops listening. Connections that exist are left alone. */
    stop() {
      // Not node's close() of an HTTP server, which also stops the checks of its connections.
      if (server.listening) Server.prototype.close.call(server);
    },
    /** Listens again. Resolves when it does, or when the server was closed instead. Waits for a port that is taken. */
    async resume() {
      let outcome = await listenAgain(server, address, over.signal);
      if (outcome === 'taken') onIncident(`port ${address.port} is taken by another process; waiting for it`);
      while (outcome === 'taken') {
        await new Promise((resolve) => setTimeout(resolve, pause));
        outcome = await listenAgain(server, address, over.signal);
      }
    },
    /** The server is to be closed: nothing listens any more. */
    end: () => over.abort(),
  };
}

type Address = { readonly port: number; readonly host: string };

/** Rejects with node's error. */
async function listenAgain(
  server: Server,
  address: Address,
  signal: AbortSignal,
): Promise<'listening' | 'taken' | 'over'> {
  if (signal.aborted || server.listening) return 'over';
  try {
    server.listen(address);
    // node emits nothing for a server that is closed meanwhile.
    await once(server, 'listening', { signal });
    return 'listening';
  } catch (error) {
    if (signal.aborted) return 'over';
    if (isPortTaken(error)) return 'taken';
    throw error;
  }
}

const loopback: ReadonlyMap<string, string> = new Map(Object.entries({ '0.0.0.0': '127.0.0.1', '::': '::1' }));

/** Of a listener there: usable as it is, without a slash at the end. */
export function urlOf(scheme: string, { address, port }: AddressInfo): string {
  const host = loopback.get(address) ?? address;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const isPortTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
