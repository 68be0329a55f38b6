/** What the HTTP bindings accept. Every limit is configurable; every refusal names the limit that it applies. */
export interface HttpLimits {
  /** Octets of one request body. Over it: 413. */
  readonly bodyBytes: number;
  /** Octets of one request target. Over it: 414. */
  readonly targetBytes: number;
  /** Header lines of one request, and as many trailer fields. Over it: 431. */
  readonly headerCount: number;
  /** Octets of all header names and values of one request. Over it: 431. */
  readonly headerBytes: number;
  /** Milliseconds from the beginning of a connection to the end of its TLS handshake. Over it: closed. */
  readonly handshakeMilliseconds: number;
  /** Milliseconds in which a client has to send one whole request. Over it: 408. 0: no limit. */
  readonly requestMilliseconds: number;
  /**
   * Milliseconds that a connection may stay idle between two requests, as Keep-Alive announces them. node closes it a
   * second later, lest it close while a client that keeps to the time is sending. 0: no limit.
   */
  readonly idleMilliseconds: number;
  /** Connections at one time; a further one is closed unanswered. 0: no limit. */
  readonly connections: number;
  /** Octets that are still read, and dropped, from a client that was refused while it was sending. */
  readonly drainBytes: number;
  /** Milliseconds after which the connection of a refused client is cut. */
  readonly drainMilliseconds: number;
  /** Milliseconds that close() waits for running requests before it cuts them. */
  readonly closeMilliseconds: number;
}

export const defaultHttpLimits: HttpLimits = {
  bodyBytes: 1024 * 1024,
  targetBytes: 8 * 1024,
  headerCount: 100,
  headerBytes: 16 * 1024,
  handshakeMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 5_000,
  connections: 5_000,
  drainBytes: 16 * 1024 * 1024,
  drainMilliseconds: 2_000,
  closeMilliseconds: 5_000,
};

/**
 * The defaults with the given limits in their place.
 * Throws a RangeError for a limit that is not a whole number from 0 on: it would compare as "no limit" and let everything in.
 */
export function limitsFrom(given: Partial<HttpLimits> = {}): HttpLimits {
  const limits = { ...defaultHttpLimits, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`The limit ${name} has to be a whole number from 0 on, not ${value}.`);
    }
  }
  return limits;
}
