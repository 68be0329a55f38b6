/** What went over the wire, in both directions, as results keep it. */

export interface SentRequest {
  readonly method: string;
  /** Request target as sent: path and query. */
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: string;
  /** True when the request was given as exact bytes; `body` then holds all of them, as text. */
  readonly exactBytes?: boolean;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
}

/**
 * Why no answer came. `tls`: the connection came about, but no handshake, or one that was taken back; `cut`: an answer
 * began, and its end never came.
 */
export type FailureKind =
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'closed'
  | 'cut'
  | 'timeout'
  | 'malformed'
  | 'interrupted';

/** What TLS showed of an exchange. */
export interface TlsFacts {
  /**
   * `refused`: the target ended it. `dropped`: it came to its end, but the target cut the connection before any answer; with
   * TLS 1.3 its verdict on a client certificate comes so late. Absent: neither end came.
   */
  readonly handshake?: 'completed' | 'refused' | 'dropped';
  /** Such as `TLS 1.3`. */
  readonly version?: string;
  /** What the target sent, such as `unknown ca`. */
  readonly alert?: string;
  readonly server?: {
    /** `verified`, or why not; absent where the user does not want to know. */
    readonly verification?: string;
    /** URIs among the alternative names. */
    readonly uris: readonly string[];
  };
}

/** One request with what came back. */
export interface Exchange {
  readonly request: SentRequest;
  readonly answer?: ReceivedAnswer;
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  /** What the target did with the connection after its answer (raw steps only). */
  readonly connection?: 'open' | 'closed';
  /** Bytes that came after the answer and belong to nothing (raw steps only). */
  readonly surplus?: number;
  /** The name of the client certificate that was presented, such as `own`. */
  readonly certificate?: string;
  /** What the step insisted on, such as `TLS 1.2`. */
  readonly over?: string;
  /** For exchanges over TLS on a connection of their own. */
  readonly tls?: TlsFacts;
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Milliseconds from sending to the end of the answer. */
  readonly took: number;
  /** A command line that sends the same request. */
  readonly curl: string;
}

/** A request that the target sent while the harness played its backend. */
export interface ReceivedRequest extends SentRequest {
  /** Milliseconds since the start of the run. */
  readonly at: number;
}

/** What a step found in an inbox. */
export interface NotificationsSeen {
  readonly inbox: string;
  /** Where they were to come. */
  readonly url: string;
  /** Milliseconds that the step waited for them. */
  readonly waited: number;
  readonly count: number;
  /** The first of them. */
  readonly shown: readonly ReceivedRequest[];
}
