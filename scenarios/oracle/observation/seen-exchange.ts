import type { Exchange } from '../../engine/results/exchange.ts';
import type { Standing } from './certificate-standing.ts';
import type { KnownResource, Requester } from './known-resource.ts';
import type { ParsedRequest } from './parsed-request.ts';

/** An exchange with what was known before it. */
export interface SeenExchange {
  readonly request: ParsedRequest;
  readonly sender: Requester;
  readonly exchange: Exchange;
  /** Whether it was sent as any HTTP client sends, and not written by the letter. */
  readonly isOrdinary: boolean;
  /** Whether another was created in the same place at the same time. */
  readonly isConcurrent: boolean;
  /** Whether another CSE was asked for it. */
  readonly isThrough: boolean;
  /** Whether nobody has to show a certificate, or one that was taken before is shown. */
  readonly isAuthenticated: boolean;
  /** What the client certificate says, where one is demanded and somebody can tell. */
  readonly standing?: Standing;
  /** What is addressed; that which holds what is created. Absent where nothing is known of it, and for the CSE base. */
  readonly resource?: KnownResource;
  /** Whether the CSE base is addressed. */
  readonly atBase: boolean;
  /** What stands, or stood, where something is to be created by this name. */
  readonly before?: KnownResource;
  /** Whether something may stand there of which nothing is known. */
  readonly isUnclear: boolean;
}

/** How an exchange was sent, which it does not tell itself. */
export interface SendFacts {
  /** As any HTTP client sends. */
  readonly isOrdinary: boolean;
  /** Whether it was under way together with another creation in the same place. */
  readonly isConcurrent?: boolean | undefined;
  readonly isThrough?: boolean | undefined;
  /** Of the certificate that was presented; absent where they are not known. */
  readonly uris?: readonly string[] | undefined;
}
