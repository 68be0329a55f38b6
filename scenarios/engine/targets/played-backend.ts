import type { TargetDescription } from '../result.ts';
import { type HarnessServer, type Hearing, listen } from './harness-server.ts';
import { type PlayedIdentity, PlayedResources } from './played-resources.ts';
import { RequestLog } from './request-log.ts';

export interface PlayedBackendOptions extends PlayedIdentity, Pick<Hearing, 'tls' | 'startedAt'> {
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly interface?: string;
  /** Whether the gateway certainly registers here; a live one is only asked to. */
  readonly certain: boolean;
  /** One with which the gateway is configured to register; absent where none is known. */
  readonly label?: string;
}

/** The harness in the place of the backend CSE: takes registrations and keeps every request that comes. */
export class PlayedBackend {
  readonly description: TargetDescription;
  readonly label: string | undefined;
  readonly #certain: boolean;
  readonly log = new RequestLog();
  readonly #close: HarnessServer['close'];
  #waited = false;

  private constructor({ address: { address, port, family }, close }: HarnessServer, options: PlayedBackendOptions) {
    const { base, cseId, spId, tls, certain, label } = options;
    this.#close = close;
    this.#certain = certain;
    this.label = label;
    const host = family === 'IPv6' ? `[${address}]` : address;
    this.description = { kind: 'played', url: `${tls ? 'https' : 'http'}://${host}:${port}`, base, cseId, spId };
  }

  /** Rejects with a UsageError when it cannot listen there. */
  static async listen(options: PlayedBackendOptions): Promise<PlayedBackend> {
    const { port, interface: where = '127.0.0.1', tls, startedAt } = options;
    const resources = new PlayedResources(options);
    const purpose = `as the backend at port ${port}`;
    const heard: Hearing['heard'] = (request, response) => {
      played.log.add(request);
      const { status, headers, body } = resources.answer(request, request.body ?? '');
      response.writeHead(status, headers).end(body);
    };
    const server = await listen({ purpose, port, where, tls, startedAt, heard });
    server.server.on('clientError', (_error, socket) => socket.destroy());
    const played = new PlayedBackend(server, options);
    return played;
  }

  /** Whether the target is to register here: certainly, or because it has sent something at least. */
  get expected(): boolean {
    return this.#certain || this.log.used;
  }

  /** Whether nothing came in the time that a gateway was given, so that there is nothing more to wait for. */
  get waitedInVain(): boolean {
    return this.#waited && !this.log.used;
  }

  /** Gives a gateway so many milliseconds to send its first request. */
  async waitForGateway(within: number, signal = new AbortController().signal): Promise<void> {
    await this.log.next(() => true, { from: 0, within, signal });
    this.#waited = true;
  }

  async close(): Promise<void> {
    this.log.close();
    await this.#close();
  }
}
