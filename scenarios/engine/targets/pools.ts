import { Pool } from 'undici';
import type { Lanes, Pace } from '../../safety/politeness.ts';
import { kept } from '../kept.ts';
import { largestHead } from './answer-reader.ts';
import type { ClientCertificate } from './target.ts';
import { type Trust, tlsOptions } from './tls.ts';

export interface PoolOptions {
  /** Connections at the same time, for each certificate. */
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** False for a target that closes connections without saying so. */
  readonly keepAlive: boolean;
  readonly trust?: Trust;
  /** When a request may go out; at once when absent. */
  readonly pace?: Pace;
  /** Room for connections of every kind together; absent where nobody asked for a limit. */
  readonly lanes?: Lanes;
}

/** Milliseconds to keep an idle connection; short, because a target may close it at the moment of the next request. */
const idle = 1000;

/** Kept connections to one target, apart for each certificate that is presented. */
export class Pools {
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #pools = new Map<string, Pool>();
  #keepAlive: boolean;

  constructor(origin: string, options: PoolOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#keepAlive = options.keepAlive;
  }

  /** Sends something over a kept connection, when there is room for it and its turn has come. */
  async use<T>(certificate: ClientCertificate | undefined, send: (pool: Pool) => Promise<T>): Promise<T> {
    const { lanes, pace } = this.#options;
    if (lanes === undefined) {
      await pace?.turn();
      return send(this.for(certificate));
    }
    return lanes.use(async (lane) => {
      const pool = await lane.pool(`${this.#origin} ${this.#keyOf(certificate)}`, () => this.#make(certificate, 1));
      await pace?.turn();
      return send(pool);
    });
  }

  /** Sends something over a connection of its own, likewise: so many requests, each of which has its turn. */
  async alone<T>(send: () => Promise<T>, requests = 1): Promise<T> {
    const { lanes, pace } = this.#options;
    const sendInTurn = async () => {
      for (let request = 0; request < requests; request += 1) await pace?.turn();
      return send();
    };
    if (lanes === undefined) return sendInTurn();
    return lanes.use(async (lane) => {
      await lane.clear();
      const result = await sendInTurn();
      // A socket that was destroyed is closed at the end of a round of the event loop.
      for (let round = 0; round < 2; round += 1) await new Promise(setImmediate);
      return result;
    });
  }

  for(certificate: ClientCertificate | undefined): Pool {
    return kept(this.#pools, this.#keyOf(certificate), () => this.#make(certificate, this.#options.connections));
  }

  #keyOf(certificate: ClientCertificate | undefined): string {
    return `${certificate?.name} ${this.#keepAlive}`;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  #make(certificate: ClientCertificate | undefined, connections: number): Pool {
    const { timeout, trust = {} } = this.#options;
    const pool = new Pool(this.#origin, {
      connections,
      pipelining: this.#keepAlive ? 1 : 0,
      keepAliveTimeout: idle,
      keepAliveMaxTimeout: idle,
      // The limit of a request as a whole is that of who sends it: see deadline.ts.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: largestHead,
      allowH2: false,
      // A session that is resumed would not show a certificate that has changed.
      connect: { maxCachedSessions: 0, timeout: Math.min(timeout, 5000), ...tlsOptions(trust, certificate, undefined) },
    });
    // What a target sends beyond an answer would be taken for the answer to the next request on the same connection.
    pool.on('disconnect', (_origin, _targets, error) => {
      if (isSurplus(error)) this.#keepAlive = false;
    });
    return pool;
  }
}

/** Whether a connection ended because of bytes that were no answer to anything. */
function isSurplus({ code, message, name }: Error & { readonly code?: string }): boolean {
  return name === 'HTTPParserError' || /^HPE_/.test(code ?? '') || message === 'bad response';
}
