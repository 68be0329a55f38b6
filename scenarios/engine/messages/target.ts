import type { SecureContextOptions } from 'node:tls';
import type { Over } from '../grammar/grammar-step.ts';
import type { Exchange, ReceivedAnswer } from '../results/exchange.ts';
import type { TargetDescription } from '../results/result.ts';

export type HeaderList = ReadonlyArray<readonly [string, string]>;

/** Within what a run speaks to its target. */
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

/** A request written to a connection of its own, by the letter. */
export interface RawMessage extends RequestMessage {
  readonly version: '1.0' | '1.1';
  /** False where the scenario leaves out or gives the header itself. */
  readonly addHost: boolean;
  readonly addContentLength: boolean;
}

export interface ExactBytes {
  readonly bytes: Uint8Array;
  /** Offsets at which they are cut, in ascending order: what is between two goes in a segment of its own. */
  readonly cuts?: readonly number[];
}

export type RawRequest = RawMessage | ExactBytes;
export type AnyRequest = RequestMessage | RawRequest;

/** A certificate that a client can present. */
export interface ClientCertificate {
  /** Such as `own`; of one that was issued for an originator, that: `//sp/cse/ae`. */
  readonly name: string;
  /** For node:tls. */
  readonly identity: Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>;
  /** URIs among its alternative names. */
  readonly uris: readonly string[];
  /** What curl is told. Never a passphrase. */
  readonly files: { readonly cert: string; readonly key?: string; readonly type?: 'P12' };
}

/** How a request travels. */
export interface Way {
  readonly certificate?: ClientCertificate;
  readonly over?: Over;
  /** On a new connection, so that its handshake is seen and nothing of a former one is resumed. */
  readonly alone?: boolean;
  /** Milliseconds to wait, after the answer to a raw request, for the target to close the connection; 0 when absent. */
  readonly watchConnection?: number;
  /** Milliseconds for this request on a connection of its own; those of the target when absent. */
  readonly timeout?: number;
}

/** Bytes sent over a connection on which more may follow. */
export interface Turn extends ExactBytes {
  /** The methods of the requests in them; each is waited for until it is answered. */
  readonly methods: readonly string[];
  /** Milliseconds that its answers are waited for. */
  readonly within: number;
  /** What becomes of the connection after them: the sending side is closed, or all of it is reset (over TLS: cut). */
  readonly afterwards?: 'end' | 'reset';
}

/** What came of the turns of one connection. */
export interface Conversation {
  /** In the order of their coming. */
  readonly answers: readonly ReceivedAnswer[];
  /** How the connection was when nothing more was waited for. */
  readonly end: 'open' | 'closed' | 'reset';
  /** Why it did not come about, or what came that is no HTTP. */
  readonly failure?: NonNullable<Exchange['failure']>;
}

/**
 * Something that answers requests. Nothing that a target does makes these promises reject. What stands around a target spreads it and
 * changes some of it, so that none of these functions may need its `this`.
 */
export interface Target {
  readonly description: TargetDescription;
  send(request: AnyRequest, way?: Way): Promise<Exchange>;
  /** Takes turns with the target on one connection; absent where there is no socket. */
  converse?(turns: readonly Turn[], way?: Way): Promise<Conversation>;
  /** Why this target cannot, or must not, be sent such a request; undefined when it can. It may have to be asked for that. */
  objection(request: AnyRequest, way?: Way): string | undefined | Promise<string | undefined>;
  /** Why a request is left out: what it is known to do to a deployed CSE. Undefined for any other objection. */
  leftOut?(request: AnyRequest): string | undefined;
  close(): Promise<void>;
}

/** A target without a socket: what only a socket can send is told by `objection`. */
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

/** Which product a target imitates by its own account, as `cselab as acme`; undefined for all others. `cselab up --as` answers so. */
export function imitatedProduct(headers: ReadonlyArray<readonly [name: string, value: string]>): string | undefined {
  const server = headers.find(([name]) => name.toLowerCase() === 'server')?.[1] ?? '';
  return /^cselab as [a-z0-9-]+$/.test(server) ? server : undefined;
}

/** Whether a method only reads (RFC 9110 9.2.1). Anything else may change something. */
export function isRead(method: string): boolean {
  return /^(GET|HEAD|OPTIONS|TRACE)$/.test(method);
}
