/** A listener that goes away for a while: who connects meanwhile is refused by the system itself. */

import { once } from 'node:events';
import { Server } from 'node:net';

/** Milliseconds of the system's time after which a port that somebody has taken meanwhile is tried again. */
const pause = 100;

interface ListenerHooks {
  /** Told once each time that somebody else has the port when it is to be listened at again. */
  readonly onIncident: (line: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Of a server that listens there. */
export function listenerOf(server: Server, address: Address, { onIncident, onError }: ListenerHooks) {
  const over = new AbortController();
  // A port that is taken when it is to be listened at again is waited for.
  server.on('error', (error) => void (isPortTaken(error) || onError(error)));
  return {
    /** Stops listening. Connections that exist are left alone. */
    stop() {
      // Not node's close() of an HTTP server, which also ends what looks after its connections.
      if (server.listening) Server.prototype.close.call(server);
    },
    /** Listens again. Resolves when it does, or when the server was closed instead. Waits for a port that somebody has taken. */
    async resume() {
      let outcome = await listenAgain(server, address, over.signal);
      if (outcome === 'taken') onIncident(`port ${address.port} is taken by somebody else, and waited for`);
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
    // Of a server that is closed meanwhile node tells nothing.
    await once(server, 'listening', { signal });
    return 'listening';
  } catch (error) {
    if (signal.aborted) return 'over';
    if (isPortTaken(error)) return 'taken';
    throw error;
  }
}

const isPortTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
