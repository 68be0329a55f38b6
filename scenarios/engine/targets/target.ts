import type { Exchange, TargetDescription } from '../result.ts';

export type HeaderList = ReadonlyArray<readonly [string, string]>;

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
}

export type RawRequest = RawMessage | ExactBytes;

export interface RawOptions {
  /** Milliseconds to wait, after the answer, for the target to close the connection. */
  readonly watchConnection: number;
}

/** Something that answers requests. Nothing that a target does makes these promises reject. */
export interface Target {
  readonly description: TargetDescription;
  /** Whether raw bytes can be sent, which needs a socket. */
  readonly supportsExactBytes: boolean;
  send(request: RequestMessage): Promise<Exchange>;
  sendRaw(request: RawRequest, options: RawOptions): Promise<Exchange>;
  /** Why this target cannot send such a request; undefined when it can. */
  objection(request: RequestMessage | RawRequest): string | undefined;
  close(): Promise<void>;
}

/** A target that answers, or why there is none. */
export type Opened =
  | { readonly target: Target }
  | { readonly description: TargetDescription; readonly unreachable: string };

export function isExactBytes(request: RequestMessage | RawRequest): request is ExactBytes {
  return 'bytes' in request;
}

/** Milliseconds, monotonic, with microseconds as fraction. */
export function now(): number {
  return Math.round(performance.now() * 1000) / 1000;
}

/** Milliseconds from one `now()` to another. */
export function since(start: number, end: number = now()): number {
  return Math.round((end - start) * 1000) / 1000;
}
