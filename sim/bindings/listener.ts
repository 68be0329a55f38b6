/** A listener that goes away for a while: who connects meanwhile is refused by the system itself. */
import { once } from 'node:events';
import { Server } from 'node:net';

/** Milliseconds of the system's time after which a port that somebody has taken meanwhile is tried again. */
const pause = 100;

export interface Listener {
  /** Stops listening. Connections that exist are left alone. */
  stop(): void;
  /**
   * Listens again, at the same address and port. Resolves when it does, or when the server was closed instead. Waits for a
   * port that somebody has taken meanwhile.
   */
  resume(): Promise<void>;
  /** The server is to be closed: nothing listens any more. */
  end(): void;
}

interface Address {
  readonly port: number;
  readonly host: string;
}

/** `isTaken` is told once each time that somebody else has the port when it is to be listened at again. */
export function listenerOf(server: Server, address: Address, isTaken: () => void): Listener {
  const over = new AbortController();
  const { signal } = over;
  /** Rejects with node's error. */
  const attempt = async (): Promise<'listening' | 'taken' | 'over'> => {
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
  };
  return {
    stop() {
      // Not node's close() of an HTTP server, which also ends what looks after its connections.
      if (server.listening) Server.prototype.close.call(server);
    },
    async resume() {
      let outcome = await attempt();
      if (outcome === 'taken') isTaken();
      while (outcome === 'taken') {
        await new Promise((resolve) => setTimeout(resolve, pause));
        outcome = await attempt();
      }
    },
    end() {
      over.abort();
    },
  };
}

export const isPortTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
