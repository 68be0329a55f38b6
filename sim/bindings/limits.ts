/** Default limits of the HTTP bindings. Every limit is configurable; every refusal names the limit that it applies. */
export const defaultHttpLimits = {
  /** Octets of one request body. Over it: 413. */
  bodyBytes: 1024 * 1024,
  /** Octets of one request target. Over it: 414. */
  targetBytes: 8 * 1024,
  /** Header lines of one request, and as many trailer fields. Over it: 431. */
  headerCount: 100,
  /** Octets of all header names and values of one request. Over it: 431. */
  headerBytes: 16 * 1024,
  /** Milliseconds from the beginning of a connection to the end of its TLS handshake. Over it: closed. */
  handshakeMilliseconds: 10_000,
  /** Milliseconds in which a client has to send one whole request. Over it: 408. 0: no limit. */
  requestMilliseconds: 30_000,
  /**
   * Milliseconds that a connection may stay idle between two requests, as Keep-Alive announces them. node closes it a
   * second later, lest it close while a client that keeps to the time is sending. 0: no limit.
   */
  idleMilliseconds: 5_000,
  /** Connections at one time; a further one is closed unanswered. 0: no limit. */
  connections: 5_000,
  /** Octets that are still read, and dropped, from a client that was refused while it was sending. */
  drainBytes: 16 * 1024 * 1024,
  /** Milliseconds after which the connection of a refused client is cut. */
  drainMilliseconds: 2_000,
  /** Milliseconds that close() waits for running requests before it cuts them. */
  closeMilliseconds: 5_000,
};

export type HttpLimits = Readonly<typeof defaultHttpLimits>;

/**
 * The defaults with the given limits in their place.
 * Throws a RangeError for a limit that is not a whole number from 0 on: it would compare as "no limit" and let everything in.
 */
export function limitsFrom(overrides: Partial<HttpLimits> = {}): HttpLimits {
  const limits = { ...defaultHttpLimits, ...overrides };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`The limit ${name} has to be a whole number from 0 on, not ${value}.`);
    }
  }
  return limits;
}
