/** Requests that a CSE or an AE sends, and their answers. */
import type { HttpResponse, Wire } from './http-message.ts';

export interface OutgoingRequest {
  readonly method: string;
  /** Request target in origin form: path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The receiver, where the URL is a shared point of access and the target names none (TS-0010, clause 6.4.2). */
  readonly receiver?: string;
  /** A deviation in how a wire other than HTTP carries it. */
  readonly carried?: string;
}

/** Header names are in lower case. */
export type OutgoingAnswer = HttpResponse;

/** Sends requests; deviations can wrap it. */
export interface Sender {
  /** `baseUrl` has no slash at its end. Rejects with an UnreachableError only. */
  send(baseUrl: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer>;
}

/** No answer came: no listener, a failed TLS handshake, or an answer that is late, cut off, too large or no HTTP. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** Why, by an error of node's; a host name with several addresses fails once for each of them. */
export function reasonOf(error: unknown): string {
  const { code, message, errors } = error as { code?: unknown; message?: string; errors?: unknown[] };
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return message || String(code ?? error);
}

/** Names for messages. */
export const wireNames: Readonly<Record<Wire, string>> = { http: 'HTTP', mqtt: 'MQTT', ws: 'WebSocket', coap: 'CoAP' };

/** The wire of a point of access or notification URI (TS-0010, clause 6.6; TS-0020, clause 6.2.1; RFC 7252, clause 6); undefined if unknown. */
export const wireOf = (url: string): Wire | undefined =>
  /^(http|mqtt|ws|coap)s?:/i.exec(url)?.[1]?.toLowerCase() as Wire | undefined;

/** For display: without user and password. */
export function displayUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** The answer of the first point of access that gives one. Rejects with an UnreachableError that names each reason. */
export async function sendToFirst(
  sender: Sender,
  pointsOfAccess: readonly string[],
  requestFor: (url: string) => OutgoingRequest,
): Promise<OutgoingAnswer> {
  const reasons: string[] = [];
  for (const url of pointsOfAccess) {
    try {
      return await sender.send(url.replace(/\/+$/, ''), requestFor(url));
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      reasons.push(error.message);
    }
  }
  throw new UnreachableError(reasons.join('; ') || 'there is no point of access');
}
