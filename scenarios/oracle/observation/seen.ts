import type { Exchange } from '../../engine/results/exchange.ts';
import type { ParsedRequest } from './asked.ts';
import type { Standing } from './certified.ts';
import type { Held, Requester } from './held.ts';

/** An exchange with what was known before it. */
export interface Seen {
  readonly asked: ParsedRequest;
  readonly sender: Requester;
  readonly exchange: Exchange;
  /** Whether it was sent as any HTTP client sends, and not written by the letter. */
  readonly isOrdinary: boolean;
  /** Whether another was created in the same place at the same time. */
  readonly isTwin: boolean;
  /** Whether another CSE was asked for it. */
  readonly isThrough: boolean;
  /** Whether nobody has to show a certificate, or one that was taken before is shown. */
  readonly isAuthenticated: boolean;
  /** What the client certificate says, where one is demanded and somebody can tell. */
  readonly standing?: Standing;
  /** What is addressed; that which holds what is created. Absent where nothing is known of it, and for the CSE base. */
  readonly held?: Held;
  /** Whether the CSE base is addressed. */
  readonly atBase: boolean;
  /** What stands, or stood, where something is to be created by this name. */
  readonly before?: Held;
  /** Whether something may stand there of which nothing is known. */
  readonly isUnclear: boolean;
}

/** How an exchange was sent, which it does not tell itself. */
export interface Sent {
  /** As any HTTP client sends. */
  readonly isOrdinary: boolean;
  /** Whether it was under way together with another creation in the same place. */
  readonly isTwin?: boolean | undefined;
  readonly isThrough?: boolean | undefined;
  /** Of the certificate that was presented; absent where they are not known. */
  readonly uris?: readonly string[] | undefined;
}
