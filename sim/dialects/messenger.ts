/** Outgoing requests of a CSE, over HTTP. */

import type { CseConfiguration, Messenger } from '../core/configuration.ts';
import type { RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { typeTableOf } from '../core/requested-type.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError, statusOf } from '../core/status.ts';
import { jsonIn } from './body.ts';
import { cborIn, writeCbor } from './cbor.ts';
import { type HttpRequest, methodOf } from './http-message.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
  wireOf,
} from './outgoing-message.ts';
import { writeQuery } from './query.ts';
import { writeHeaders } from './query-readers.ts';
import { pathOf } from './target.ts';
import { writeBasicTimestamp } from './timestamp.ts';

interface HttpOptions {
  readonly dialect: DialectName;
  /** Microseconds since 1970 UTC, for X-M2M-OT in the onem2m dialect; left out unless given. */
  readonly now?: () => number;
}

/** A messenger that sends with `sender`, in the wire form of the dialect. */
export function httpMessenger(sender: Sender, options: HttpOptions): Messenger {
  return {
    async send(url, request) {
      try {
        return readAnswer(await sender.send(originOf(url), toHttp(url, request, options)));
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        // The same for every reason, which journals record: an answer could otherwise reveal open ports around the CSE.
        throw new CseError('TARGET_NOT_REACHABLE', 'No answer came from there.');
      }
    },
  };
}

function originOf(url: string): string {
  if (URL.canParse(url)) return wireOf(url) === 'http' ? new URL(url).origin : url;
  throw new CseError('TARGET_NOT_REACHABLE', `${JSON.stringify(url)} is not a URL.`);
}

/** In the wire form of the dialect. */
export function toHttp(url: string, request: RequestPrimitive, options: HttpOptions): OutgoingRequest {
  const { operation, content } = request;
  // `ct` in the query of a URL selects the serialization (TS-0001, clause 9.6.8).
  const cbor = request.serialization === 'cbor' || new URL(url).searchParams.get('ct') === 'cbor';
  return {
    method: methodOf[operation],
    target: targetOf(url, request, options),
    headers: headersOf(request, options, cbor ? 'cbor' : 'json'),
    ...(content !== undefined && { body: cbor ? writeCbor(content) : JSON.stringify(content) }),
    ...(request.receiver !== undefined && { receiver: request.receiver }),
  };
}

/** The URL's own path when nothing else is addressed (TS-0009, clause 6.2.2.1). */
function targetOf(url: string, request: RequestPrimitive, { dialect }: HttpOptions): string {
  const { pathname, search } = new URL(url);
  if (request.to === '') return `${pathname}${search}`;
  const path = pathOf(request.to.split('/').map(encodeURIComponent).join('/'));
  const query = writeQuery(request, dialect);
  return query === '' ? path : `${path}?${query}`;
}

function headersOf(
  request: RequestPrimitive,
  { dialect, now }: HttpOptions,
  format: 'json' | 'cbor',
): Record<string, string> {
  const { operation, resourceType, content } = request;
  const standard = dialect === 'onem2m';
  const media = standard
    ? `application/${format}`
    : `application/vnd.onem2m-${operation === 'notify' ? 'ntfy' : 'res'}+${format}`;
  return {
    Accept: standard ? 'application/json' : 'application/vnd.onem2m-res+json',
    ...(standard && now && { 'X-M2M-OT': writeBasicTimestamp(now()) }),
    ...writeHeaders(request, dialect),
    ...(content !== undefined && {
      'Content-Type': resourceType === undefined ? media : `${media};ty=${resourceType}`,
    }),
  };
}

function readAnswer({ status, headers, body }: OutgoingAnswer): ResponsePrimitive {
  // The most likely meaning of an answer without X-M2M-RSC.
  const defaultCode = status < 300 ? 2000 : status === 404 ? 4004 : status === 403 ? 4103 : status < 500 ? 4000 : 5000;
  const code = Number(headers['x-m2m-rsc'] ?? defaultCode);
  const content = typeof body === 'string' ? jsonIn(body) : cborIn(body);
  return { status: statusOf(code, status), ...(content !== undefined && { content }) };
}

// Requests to a CSE in this process, as a client of its dialect sends them.

interface ClientRequest {
  readonly method: string;
  readonly target: string;
  /** Empty: no originator is sent. */
  readonly originator?: string | undefined;
  readonly identifier: string;
  readonly content?: object | undefined;
}

/** Without a peer, since it comes over no network. */
export function clientRequest(request: ClientRequest, { dialect, types, releases }: CseConfiguration): HttpRequest {
  const { method, target, originator, identifier, content } = request;
  const [root = ''] = Object.keys(content ?? {});
  const ty = method === 'POST' ? typeTableOf(types).byRoot.get(root)?.ty : undefined;
  const standard = dialect.name === 'onem2m';
  const type = standard ? `application/json${ty === undefined ? '' : `;ty=${ty}`}` : 'application/vnd.onem2m-res+json';
  return {
    ...{ method, target },
    headers: {
      ...(originator && { 'x-m2m-origin': originator }),
      'x-m2m-ri': identifier,
      ...(standard && { 'x-m2m-rvi': releases.at(-1) ?? '3' }),
      ...(content !== undefined && { 'content-type': type }),
    },
    body: new TextEncoder().encode(content === undefined ? '' : JSON.stringify(content)),
  };
}
