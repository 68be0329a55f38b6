/** What a CSE or an AE sends, and what comes back. */
import type { HttpResponse, Wire } from './http-message.ts';

export interface OutgoingRequest {
  readonly method: string;
  /** Request target in origin form: path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Who is to get it, where the URL is a point of access of several and the target names nobody (TS-0010, clause 6.4.2). */
  readonly receiver?: string;
  /** How another wire than HTTP carries it wrongly, where a deviation says so. */
  readonly carried?: string;
}

/** Its headers have names in lower case. */
export type OutgoingAnswer = HttpResponse;

/** What sends requests; a deviation can be put around it. */
export interface Sender {
  /** `baseUrl` has no slash at its end. Rejects with an UnreachableError only. */
  send(baseUrl: string, request: OutgoingRequest, signal?: AbortSignal): Promise<OutgoingAnswer>;
}

/** No answer came: nobody listens, the TLS handshake failed, the answer is late, cut off, too large or no HTTP. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** As sentences call them. */
export const wireNames: Readonly<Record<Wire, string>> = { http: 'HTTP', mqtt: 'MQTT', ws: 'WebSocket', coap: 'CoAP' };

/** By which a point of access, or a notification URI, is reached (TS-0010, clause 6.6; TS-0020, clause 6.2.1; RFC 7252, clause 6); undefined for none that is known. */
export const wireOf = (url: string): Wire | undefined =>
  /^(http|mqtt|ws|coap)s?:/i.exec(url)?.[1]?.toLowerCase() as Wire | undefined;

/** As others are told it: without the user and the password that its server wants. */
export function displayUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/** The first of these points of access that answers. Rejects with an UnreachableError that names each reason. */
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
