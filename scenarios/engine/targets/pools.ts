import { Pool } from 'undici';
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
}

/** Milliseconds to keep an idle connection; short, because a target may close it at the moment of the next request. */
const idle = 1000;

/** Kept connections to one target, apart for each certificate that is presented. */
export class Pools {
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #pools = new Map<string | undefined, Pool>();

  constructor(origin: string, options: PoolOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  for(certificate: ClientCertificate | undefined): Pool {
    const known = this.#pools.get(certificate?.name);
    if (known !== undefined) return known;
    const pool = this.#make(certificate);
    this.#pools.set(certificate?.name, pool);
    return pool;
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  #make(certificate: ClientCertificate | undefined): Pool {
    const { connections, timeout, keepAlive, trust = {} } = this.#options;
    return new Pool(this.#origin, {
      connections,
      pipelining: keepAlive ? 1 : 0,
      keepAliveTimeout: idle,
      keepAliveMaxTimeout: idle,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxHeaderSize: largestHead,
      allowH2: false,
      connect: { timeout: Math.min(timeout, 5000), ...tlsOptions(trust, certificate, undefined) },
    });
  }
}
