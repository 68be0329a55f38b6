import { type HttpServer, serveHttp } from '../../../../sim/bindings/http.ts';
import { createCse, type InMemoryCse } from '../../../../sim/cse/create-cse.ts';
import { defined } from '../../basics/defined.ts';
import { UsageError } from '../../basics/diagnostics.ts';
import type { Dialect } from '../../grammar/dialects.ts';
import type { CseNames } from '../../messages/address.ts';
import { Waiters } from '../exchanging/deadline.ts';

export interface SimulatedCseOptions extends Partial<CseNames> {
  readonly dialect: Dialect;
  /** 0 for a free one. */
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly interface?: string;
  /** Originator with all privileges. */
  readonly admin?: string;
  /** Called with each answered request of an application, and each request to one, in journal format. */
  readonly onEntry: (entry: object) => void;
}

/** The reference CSE as seen by applications. */
export interface SimulatedCse extends CseNames {
  readonly url: string;
  /** Resolves when no request is open, or after so many milliseconds. */
  idle(within: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * From the first on; requests without a release are of release 1 (TS-0004 7.3.2.1). Errors of applications should show, instead of
 * ending at the first refusal.
 */
export const everyRelease: readonly string[] = ['1', '2', '2a', '3', '4', '5'];

/** Rejects with a UsageError where it cannot listen. */
export async function simulateCse(simulation: SimulatedCseOptions): Promise<SimulatedCse> {
  const { port, interface: where, onEntry, ...options } = simulation;
  const host = where ?? '127.0.0.1';
  const poa = port === 0 ? [] : [`http://${host}:${port}`];
  const cse = createCse({ ...options, releases: everyRelease, journal: 0, pointOfAccess: poa });
  // Requests of both directions that are not answered yet.
  let open = 0;
  const waiters = new Waiters();
  for (const journal of [cse.requests, cse.sent])
    journal.subscribe(({ kind, entry }) => {
      open += kind === 'request' ? 1 : -1;
      if (kind === 'answer') onEntry(entry);
      waiters.wake();
    });
  const idle = async (within: number) => void (await waiters.wait(() => open === 0 || undefined, { within }));
  const server = await listening(cse, defined({ port, interface: where }));
  const { base, cseId, spId } = cse.core.configuration;
  const close = async () => {
    await server.close();
    await cse.close();
  };
  return { url: server.url, base, cseId, spId, idle, close };
}

async function listening({ http }: InMemoryCse, options: Parameters<typeof serveHttp>[1]): Promise<HttpServer> {
  return serveHttp(http, options).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the harness cannot listen as the CSE: ${why}`);
  });
}
