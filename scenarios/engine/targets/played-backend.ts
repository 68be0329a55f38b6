import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../files/diagnostics.ts';
import type { TargetDescription } from '../result.ts';
import { type PlayedIdentity, PlayedResources } from './played-resources.ts';
import { RequestLog, readBody, receivedRequest } from './request-log.ts';

export interface PlayedBackendOptions extends PlayedIdentity {
  readonly port: number;
  /** 127.0.0.1 when absent. */
  readonly interface?: string;
  /** PEM texts: it then speaks HTTPS, and asks for a certificate without insisting. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  /** `now()` at the start of the run. */
  readonly startedAt: number;
  /** Whether the gateway certainly registers here; a live one is only asked to. */
  readonly certain: boolean;
  /** One with which the gateway is configured to register; absent where none is known. */
  readonly label?: string;
}

/** Milliseconds for a whole request. */
const patience = 10_000;

/** The harness in the place of the backend CSE: takes registrations and keeps every request that comes. */
export class PlayedBackend {
  readonly description: TargetDescription;
  readonly label: string | undefined;
  readonly #certain: boolean;
  readonly log = new RequestLog();
  readonly #server: Server;
  readonly #resources: PlayedResources;
  readonly #startedAt: number;
  #waited = false;

  private constructor(server: Server, options: PlayedBackendOptions) {
    this.#server = server;
    this.#resources = new PlayedResources(options);
    this.#startedAt = options.startedAt;
    this.#certain = options.certain;
    this.label = options.label;
    const { base, cseId, spId, tls } = options;
    const { address, port, family } = server.address() as AddressInfo;
    const host = family === 'IPv6' ? `[${address}]` : address;
    this.description = { kind: 'played', url: `${tls ? 'https' : 'http'}://${host}:${port}`, base, cseId, spId };
  }

  /** Rejects with a UsageError when it cannot listen there. */
  static async listen(options: PlayedBackendOptions): Promise<PlayedBackend> {
    const server = serverFor(options);
    await new Promise<void>((resolve, reject) => {
      const failed = ({ message }: Error) => {
        reject(new UsageError(`the harness cannot listen as the backend at port ${options.port}: ${message}`));
      };
      server.once('error', failed);
      server.listen(options.port, options.interface ?? '127.0.0.1', () => {
        server.off('error', failed);
        resolve();
      });
    });
    const played = new PlayedBackend(server, options);
    server.on('error', () => {});
    server.on('clientError', (_error, socket) => socket.destroy());
    server.on('request', (request, response) => played.#serve(request, response));
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
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => {});
    response.on('error', () => {});
    readBody(request)
      .then((body) => {
        const received = receivedRequest(request, body, this.#startedAt);
        this.log.add(received);
        const answer = this.#resources.answer(received, body);
        response.writeHead(answer.status, answer.headers);
        response.end(answer.body);
      })
      .catch(() => response.destroy());
  }
}

function serverFor({ tls }: PlayedBackendOptions): Server {
  const limits = { requestTimeout: patience, headersTimeout: patience };
  if (tls === undefined) return createHttp(limits);
  return createHttps({ ...limits, ...tls, requestCert: true, rejectUnauthorized: false, handshakeTimeout: patience });
}
