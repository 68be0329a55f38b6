/** What a CSE or an AE uses to send HTTP requests. */

import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  reasonOf,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';
import { defined } from '../environment/defined.ts';
import { deniedTarget, lookupBut, type TargetRules } from './target-rules.ts';

/** PEM texts. */
export interface OutgoingTls {
  readonly key?: string;
  readonly cert?: string;
  /** The authorities by which the peer is verified; those of node when absent. */
  readonly ca?: string;
  readonly passphrase?: string;
  /** True: the certificate of the peer is not verified (`accept_insecure_certs`, curl's `-k`). */
  readonly insecure?: boolean;
}

export interface HttpClientOptions {
  readonly tls?: OutgoingTls;
  /** Milliseconds for one request with its answer; 5,000 unless given. */
  readonly timeout?: number;
  /** Octets of an answer's body; 16 MiB unless given. */
  readonly largestAnswer?: number;
  /** Which targets are denied; none unless given. */
  readonly targets?: TargetRules;
}

export class HttpClient implements Sender, AsyncDisposable {
  readonly #timeout: number;
  readonly #largestAnswer: number;
  readonly #targets: TargetRules | undefined;
  #agent: Agent;

  constructor({ tls = {}, timeout = 5_000, largestAnswer = 16 * 1024 * 1024, targets }: HttpClientOptions = {}) {
    this.#timeout = timeout;
    this.#largestAnswer = largestAnswer;
    this.#targets = targets;
    this.#agent = agentFor(tls, timeout, targets);
  }

  async send(baseUrl: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    try {
      return await this.#exchange(baseUrl, request, signal);
    } catch (error) {
      if (!(error instanceof UnreachableError) || !mayBeRepeated(request, error.cause)) throw error;
      return this.#exchange(baseUrl, request, signal);
    }
  }

  async #exchange(baseUrl: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer> {
    const limit = AbortSignal.timeout(this.#timeout);
    try {
      const { statusCode, headers, body } = await send.call(this.#agent, {
        origin: new URL(baseUrl).origin,
        path: request.target,
        method: request.method as 'GET',
        headers: request.headers,
        body: request.body ?? null,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const read = await this.#read(body);
      const answered = { status: statusCode, headers: joined(headers) };
      const isText = !answered.headers['content-type']?.includes('cbor');
      return { ...answered, body: isText ? read.toString('utf8') : read };
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      const reason = limit.aborted ? `no complete answer within ${this.#timeout / 1000} s` : reasonOf(error);
      throw new UnreachableError(`${baseUrl}: ${reason}`, { cause: error });
    }
  }

  /** Existing connections are not used any more; requests under way complete. */
  renewTls(tls: OutgoingTls): void {
    const former = this.#agent;
    this.#agent = agentFor(tls, this.#timeout, this.#targets);
    // It rejects only when it was destroyed in between.
    former.close().catch(() => {});
  }

  /** Aborts requests under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of body) {
      length += piece.length;
      if (length > this.#largestAnswer) {
        throw new UnreachableError(`the answer is longer than ${this.#largestAnswer} bytes (largestAnswer)`);
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/**
 * A peer may close a kept connection at the moment of the next request. Only what can be done twice without harm is then
 * sent again, once (RFC 9110, clause 9.2.2).
 */
function mayBeRepeated({ method }: OutgoingRequest, cause: unknown): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return method !== 'POST' && (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET');
}

function agentFor(
  { insecure = false, ...material }: OutgoingTls,
  timeout: number,
  targets: TargetRules | undefined,
): Agent {
  const connect = { timeout, ...defined(material), rejectUnauthorized: !insecure };
  const by = targets === undefined ? connect : connectorBy(targets, connect);
  return new PooledAgent({ headersTimeout: 0, bodyTimeout: 0, connect: by });
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')] as const);
  return Object.fromEntries(entries);
}

/**
 * The part of undici that a CSE needs. Its main file also loads fetch, WebSocket, mocks and caches, which are half of its
 * start-up time and 8 MB of every process. These two files are no public interface: the version of undici is pinned, and the tests
 * of the client fail where they have moved.
 */
const load = createRequire(import.meta.url);
const PooledAgent = load('undici/lib/dispatcher/agent.js') as typeof Agent;
const makeConnector = load('undici/lib/core/connect.js') as typeof buildConnector;
/** As the method of agents that undici's main file gives them. */
const send = load('undici/lib/api/api-request.js') as Dispatcher['request'];

/** Connects as undici does, but not to addresses that the rules deny, whatever their name. */
function connectorBy(rules: TargetRules, options: buildConnector.BuildOptions): buildConnector.connector {
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const isDenied = rules.of(`${target.protocol}//${target.host ?? host}`);
    if (isIP(host) > 0 && isDenied(host)) callback(deniedTarget(host), null);
    else makeConnector({ ...options, lookup: lookupBut(isDenied) } as buildConnector.BuildOptions)(target, callback);
  };
}
