import { type Dispatcher, Pool } from 'undici';
import type { Politeness } from '../../safety/politeness.ts';
import { kept } from '../kept.ts';
import type { Exchange } from '../messages/exchange.ts';
import { largestAnswer, largestHead, mostHeaders, tooLong, tooManyHeaders } from './answer-reader.ts';
import { BodyBytes } from './body-bytes.ts';
import { deadline } from './deadline.ts';
import { cutShort, failureOf, timeoutFailure } from './failure.ts';
import type { ClientCertificate, Limits, RequestMessage } from './target.ts';
import { type Trust, tlsOptions } from './tls.ts';

/** `connections` are those for each certificate. */
export interface PoolOptions extends Pick<Limits, 'connections' | 'timeout'>, Politeness {
  /** False for a target that closes connections without saying so. */
  readonly keepAlive: boolean;
  readonly trust?: Trust;
}

/** Milliseconds to keep an idle connection; short, because a target may close it at the moment of the next request. */
const idle = 1000;

/** Certificates for which connections are kept: that of an actor is seldom shown again once its scenario is over. */
const mostPools = 64;

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
    const pool = kept(this.#pools, this.#keyOf(certificate), () => this.#make(certificate, this.#options.connections));
    if (this.#pools.size > mostPools) this.#closeOldest();
    return pool;
  }

  /** What is under way over it comes to its end. */
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

type Dispatched = Pick<Exchange, 'answer' | 'failure'>;

/**
 * Sends a request and takes the answer as it comes, without a stream, which would cost as much as all the rest.
 * `timeout` in milliseconds. Rejects with an error that says nothing about the target, such as that of a method that cannot be sent.
 */
export function dispatched(client: Dispatcher, message: RequestMessage, timeout: number): Promise<Dispatched> {
  const { method, path, headers, body = null } = message;
  return new Promise((resolve, reject) => {
    const answer = new ComingAnswer((came) => {
      stop();
      if (came instanceof Error) reject(came);
      else resolve(came);
    });
    const stop = deadline(timeout, () => answer.end({ failure: timeoutFailure(timeout) }));
    client.dispatch({ method: method as 'GET', path, headers: headers.flat(), body }, answer);
  });
}

type Controller = Dispatcher.DispatchController;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

class ComingAnswer implements Dispatcher.DispatchHandler {
  readonly #settle: (came: Dispatched | Error) => void;
  #controller: Controller | undefined;
  #status = 0;
  #headers: Headers = {};
  readonly #body = new BodyBytes(largestAnswer);
  #ended = false;

  constructor(settle: (came: Dispatched | Error) => void) {
    this.#settle = settle;
  }

  /** Nothing more is waited for; a connection on which something could still come is given up. */
  end(came: Dispatched | Error, isComplete = false): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!isComplete) this.#controller?.abort(new Error('nothing more is waited for'));
    this.#settle(came);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('nothing more is waited for'));
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    // An interim answer (RFC 9110 15.2): another one follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Controller, part: Buffer): void {
    const isTooLong = Number(this.#headers['content-length']) > largestAnswer || !this.#body.add(part);
    if (isTooLong) this.#refuse(tooLong);
  }

  onResponseEnd(): void {
    const headers = pairs(this.#headers);
    if (headers.length > mostHeaders) this.#refuse(tooManyHeaders);
    else this.end({ answer: { status: this.#status, headers, body: this.#body.text() } }, true);
  }

  onResponseError(_: Controller, error: Error): void {
    const failure = failureOf(error);
    this.end(failure === undefined ? error : { failure: this.#status === 0 ? failure : cutShort(failure) }, true);
  }

  #refuse(message: string): void {
    this.end({ failure: { kind: 'malformed', message } });
  }
}

function pairs(headers: Headers): Array<readonly [string, string]> {
  const all: Array<readonly [string, string]> = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') all.push([name, value]);
    else for (const one of value ?? []) all.push([name, one]);
  }
  return all;
}
