import { type Dispatcher, Pool } from 'undici';
import { headerOf } from '../../basics/body.ts';
import { getOrAdd } from '../../basics/memoize.ts';
import type { ClientCertificate, RequestLimits, RequestMessage } from '../../messages/target.ts';
import { type Trust, tlsOptions } from '../../messages/tls.ts';
import type { Exchange } from '../../results/exchange.ts';
import { largestAnswer, largestHead, mostHeaders, tooLong, tooManyHeaders } from './answer-reader.ts';
import { BodyBytes } from './body-bytes.ts';
import { deadline } from './deadline.ts';
import { cutShort, failureOf, timeoutFailure } from './failure.ts';
import { inSlot, type LoadLimits } from './load-limits.ts';

/** `connections` are those for each certificate. */
export interface PoolOptions extends Pick<RequestLimits, 'connections' | 'timeout'>, LoadLimits {
  /** False for a target that closes connections without notice. */
  readonly keepAlive: boolean;
  readonly trust?: Trust;
}

/** Milliseconds to keep an idle connection; short, because a target may close it just before the next request. */
const idle = 1000;

/** Certificates with kept connections: that of an actor is seldom used after its scenario. */
const mostPools = 64;

/** Kept connections to one target, separate for each certificate. */
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

  /** Sends over a kept connection, within the load limits. */
  async use<T>(certificate: ClientCertificate | undefined, send: (pool: Pool) => Promise<T>): Promise<T> {
    const own = () => this.#make(certificate, 1);
    return inSlot(this.#options, async (slot) => {
      const pool = slot && (await slot.pool(`${this.#origin} ${this.#keyOf(certificate)}`, own));
      await this.#options.pace?.turn();
      return send(pool ?? this.for(certificate));
    });
  }

  /** Sends so many requests over a new connection, likewise. */
  async alone<T>(send: () => Promise<T>, requests = 1): Promise<T> {
    return inSlot(this.#options, async (slot) => {
      await slot?.clear();
      for (let request = 0; request < requests; request += 1) await this.#options.pace?.turn();
      const result = await send();
      // A destroyed socket is closed at the end of a round of the event loop.
      for (let round = 0; slot !== undefined && round < 2; round += 1) await new Promise(setImmediate);
      return result;
    });
  }

  for(certificate: ClientCertificate | undefined): Pool {
    const { connections } = this.#options;
    const pool = getOrAdd(this.#pools, this.#keyOf(certificate), () => this.#make(certificate, connections));
    if (this.#pools.size > mostPools) this.#closeOldest();
    return pool;
  }

  /** Its open requests still finish. */
  #closeOldest(): void {
    const [[key, pool] = []] = this.#pools;
    if (key !== undefined) this.#pools.delete(key);
    pool?.close().catch(() => {});
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
      // The sender limits the whole request: see deadline.ts.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: largestHead,
      allowH2: false,
      // A resumed session would not show a changed certificate.
      connect: { maxCachedSessions: 0, timeout: Math.min(timeout, 5000), ...tlsOptions(trust, certificate, undefined) },
    });
    // Surplus bytes after an answer would be taken for the answer to the next request on the same connection.
    pool.on('disconnect', (_origin, _targets, error) => {
      if (isSurplus(error)) this.#keepAlive = false;
    });
    return pool;
  }
}

/** Whether a connection ended because of surplus bytes. */
function isSurplus({ code, message, name }: Error & { readonly code?: string }): boolean {
  return name === 'HTTPParserError' || /^HPE_/.test(code ?? '') || message === 'bad response';
}

type DispatchResult = Pick<Exchange, 'answer' | 'failure'>;

/**
 * Sends a request and reads its answer. `timeout` in milliseconds. Rejects with errors that say nothing about the target, such as
 * an invalid method.
 */
export async function dispatch(client: Dispatcher, message: RequestMessage, timeout: number): Promise<DispatchResult> {
  const { method, path, headers, body = null } = message;
  const late = new AbortController();
  const stop = deadline(timeout, () => late.abort());
  let begun = false;
  try {
    const options = { method: method as 'GET', path, headers: headers.flat(), body, signal: late.signal };
    const { statusCode, ...response } = await client.request(options);
    begun = true;
    return await answerOf(statusCode, response);
  } catch (error) {
    if (late.signal.aborted) return { failure: timeoutFailure(timeout) };
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    return { failure: begun ? cutShort(failure) : failure };
  } finally {
    stop();
  }
}

/** Abandons a connection that may still receive something. */
async function answerOf(
  status: number,
  { headers: responseHeaders, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
): Promise<DispatchResult> {
  const headers = Object.entries(responseHeaders).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  );
  const bytes = new BodyBytes(largestAnswer);
  const refuse = (message: string): DispatchResult => {
    body.on('error', () => {}).destroy();
    return { failure: { kind: 'malformed', message } };
  };
  if (headers.length > mostHeaders) return refuse(tooManyHeaders);
  if (Number(responseHeaders['content-length']) > largestAnswer) return refuse(tooLong);
  for await (const part of body) if (!bytes.add(part)) return refuse(tooLong);
  return { answer: { status, headers, body: bytes.text(headerOf(headers, 'content-type')) } };
}
