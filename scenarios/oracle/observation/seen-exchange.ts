import type { Exchange } from '../../engine/results/exchange.ts';
import type { Standing } from './certificate-standing.ts';
import type { KnownResource, Requester } from './known-resource.ts';
import type { ParsedRequest } from './parsed-request.ts';

/** An exchange with the state known before it. */
export interface SeenExchange {
  readonly request: ParsedRequest;
  readonly sender: Requester;
  readonly exchange: Exchange;
  /** Whether an ordinary HTTP client sent it, and not exact bytes. */
  readonly isOrdinary: boolean;
  /** Whether a sibling was created at the same time. */
  readonly isConcurrent: boolean;
  /** Whether it went through another CSE. */
  readonly isThrough: boolean;
  /** Whether no certificate is needed, or this one was accepted before. */
  readonly isAuthenticated: boolean;
  /** Standing of the client certificate, if demanded and known. */
  readonly standing?: Standing;
  /** The addressed resource, which is the parent of a creation. Absent if unknown, and for the CSE base. */
  readonly resource?: KnownResource;
  /** Whether the CSE base is addressed. */
  readonly atBase: boolean;
  /** The current or former resource with the name of the creation. */
  readonly before?: KnownResource;
  /** Whether an unknown resource may have that name. */
  readonly isUnclear: boolean;
}

/** How an exchange was sent. */
export interface SendFacts {
  /** Whether an ordinary HTTP client sent it. */
  readonly isOrdinary: boolean;
  /** Whether a sibling was created at the same time. */
  readonly isConcurrent?: boolean | undefined;
  readonly isThrough?: boolean | undefined;
  /** Of the presented certificate, if known. */
  readonly uris?: readonly string[] | undefined;
}
