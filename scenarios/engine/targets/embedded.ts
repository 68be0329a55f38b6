import { createCse, createFetch, serveHttp } from '../../../sim/index.ts';
import type { TargetDescription } from '../result.ts';
import { inProcessTarget } from './in-process.ts';
import { defaults } from './open-url.ts';
import type { Opened } from './target.ts';
import { urlTarget } from './url.ts';

export interface EmbeddedOptions {
  /** `in-process` leaves out the socket. */
  readonly kind: 'embedded' | 'in-process';
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
}

/** The project's own reference CSE, made for this run. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Opened> {
  const cse = createCse(defaults);
  if (options.kind === 'in-process') {
    const description = { kind: options.kind, url: 'http://in-process', ...defaults };
    return { target: inProcessTarget({ ...options, description, fetch: createFetch(cse.http) }) };
  }
  const server = await serveHttp(cse.http, { port: 0, interface: '127.0.0.1' });
  const description: TargetDescription = { kind: options.kind, url: server.url.replace(/\/+$/, ''), ...defaults };
  const target = urlTarget({ ...options, description, keepAlive: true });
  const close = async () => {
    await target.close();
    await server.close();
  };
  return { target: { ...target, close } };
}
