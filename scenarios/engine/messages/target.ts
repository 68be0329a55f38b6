import type { SecureContextOptions } from 'node:tls';
import type { Over } from '../grammar/grammar-step.ts';
import type { Exchange, ReceivedAnswer } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';

export type HeaderList = ReadonlyArray<readonly [string, string]>;

/** Limits of the requests of a run. */
export interface RequestLimits {
  /** Connections at the same time. */
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
}

/** A request that any HTTP client could send. */
export interface RequestMessage {
  readonly method: string;
  /** Path and query, relative to the target's base URL. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body?: Uint8Array;
}

/** A request written verbatim to a connection of its own. */
export interface RawMessage extends RequestMessage {
  readonly version: '1.0' | '1.1';
  /** False where the scenario omits or gives the header itself. */
  readonly addHost: boolean;
  readonly addContentLength: boolean;
}

export interface ExactBytes {
  readonly bytes: Uint8Array;
  /** Offsets of cuts, in ascending order: each piece is a segment of its own. */
  readonly cuts?: readonly number[];
}

export type RawRequest = RawMessage | ExactBytes;
export type AnyRequest = RequestMessage | RawRequest;

/** A certificate that a client can present. */
export interface ClientCertificate {
  /** Such as `own`, or the originator that it was issued for: `//sp/cse/ae`. */
  readonly name: string;
  /** For node:tls. */
  readonly identity: Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>;
  /** URIs among its alternative names. */
  readonly uris: readonly string[];
  /** Files for curl. Never a passphrase. */
  readonly files: { readonly cert: string; readonly key?: string; readonly type?: 'P12' };
}

/** How a request travels. */
export interface Way {
  readonly certificate?: ClientCertificate;
  readonly over?: Over;
  /** On a new connection, so that its handshake shows and no earlier session is resumed. */
  readonly alone?: boolean;
  /** Milliseconds to wait, after the answer to a raw request, for the target to close the connection; 0 when absent. */
  readonly watchConnection?: number;
  /** Milliseconds for this request on a connection of its own; those of the target when absent. */
  readonly timeout?: number;
}

/** Bytes sent over a connection on which more may follow. */
export interface Turn extends ExactBytes {
  /** Methods of its requests; an answer to each is awaited. */
  readonly methods: readonly string[];
  /** Milliseconds to wait for its answers. */
  readonly within: number;
  /** What to do with the connection afterwards: close the sending side, or reset it (over TLS: cut). */
  readonly afterwards?: 'end' | 'reset';
}

/** The outcome of the turns on one connection. */
export interface Conversation {
  /** In order of arrival. */
  readonly answers: readonly ReceivedAnswer[];
  /** The state of the connection at the end. */
  readonly end: 'open' | 'closed' | 'reset';
  /** Why there was no connection, or which bytes were no HTTP. */
  readonly failure?: NonNullable<Exchange['failure']>;
}

/**
 * Something that answers requests. Nothing that a target does makes these promises reject. Wrappers spread a target and override
 * some members, so that none of these functions may use `this`.
 */
export interface Target {
  readonly description: TargetDescription;
  send(request: AnyRequest, way?: Way): Promise<Exchange>;
  /** Takes turns with the target on one connection; absent where there is no socket. */
  converse?(turns: readonly Turn[], way?: Way): Promise<Conversation>;
  /** Why this target cannot, or must not, be sent such a request; undefined when it can. May ask the target. */
  objection(request: AnyRequest, way?: Way): string | undefined | Promise<string | undefined>;
  /** Which known damage to a deployed CSE a request is left out for. Undefined for any other objection. */
  leftOut?(request: AnyRequest): string | undefined;
  close(): Promise<void>;
}

/** A target without a socket: `objection` rejects requests that need one. */
export function socketless(
  { description, objection }: Pick<Target, 'description' | 'objection'>,
  exchange: (request: RequestMessage | RawMessage) => Promise<Exchange>,
): Target {
  return {
    description,
    objection,
    send: async (request) => {
      if (isExactBytes(request)) throw new TypeError('exact bytes need a socket');
      return exchange(request);
    },
    close: async () => {},
  };
}

export function isExactBytes(request: AnyRequest): request is ExactBytes {
  return 'bytes' in request;
}

/** Whether a request is written to a connection of its own. */
export function isRaw(request: AnyRequest): request is RawRequest {
  return isExactBytes(request) || 'version' in request;
}

/** The same request, to be written to a connection of its own. */
export function asRaw(request: RequestMessage): RawMessage {
  return { ...request, version: '1.1', addHost: true, addContentLength: true };
}

/** Milliseconds, monotonic, with microseconds as fraction. */
export function now(): number {
  return Math.round(performance.now() * 1000) / 1000;
}

/** Milliseconds from one `now()` to another. */
export function since(start: number, end: number = now()): number {
  return Math.round((end - start) * 1000) / 1000;
}

/** The product that a target says to imitate, as `cselab as acme`, the answer of `cselab up --as`; undefined for all others. */
export function imitatedProduct(headers: ReadonlyArray<readonly [name: string, value: string]>): string | undefined {
  const server = headers.find(([name]) => name.toLowerCase() === 'server')?.[1] ?? '';
  return /^cselab as [a-z0-9-]+$/.test(server) ? server : undefined;
}

/** Whether a method only reads (RFC 9110 9.2.1). Any other may change something. */
export function isRead(method: string): boolean {
  return /^(GET|HEAD|OPTIONS|TRACE)$/.test(method);
}
