/** Requests that a CSE itself sends, over HTTP. */
import type { Messenger } from '../core/configuration.ts';
import type { Operation, RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { JsonText } from '../core/representation.ts';
import type { DialectName } from '../core/resource-type.ts';
import { CseError, statusOf, TARGET_NOT_REACHABLE } from '../core/status.ts';
import {
  type OutgoingAnswer,
  type OutgoingRequest,
  type Sender,
  UnreachableError,
} from '../dialects/outgoing-message.ts';

const methods: Readonly<Record<Operation, string>> = {
  create: 'POST',
  retrieve: 'GET',
  update: 'PUT',
  delete: 'DELETE',
  notify: 'POST',
};

/** A messenger that sends by `sender`, in the wire form of the dialect. */
export function httpMessenger(sender: Sender, dialect: DialectName): Messenger {
  return {
    async send(url, request) {
      try {
        return readAnswer(await sender.send(originOf(url), toHttp(url, request, dialect)));
      } catch (error) {
        if (error instanceof UnreachableError) throw new CseError(TARGET_NOT_REACHABLE, `${error.message}.`);
        throw error;
      }
    },
  };
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    throw new CseError(TARGET_NOT_REACHABLE, `${JSON.stringify(url)} is not a URL.`);
  }
}

function toHttp(url: string, request: RequestPrimitive, dialect: DialectName): OutgoingRequest {
  const { operation, content } = request;
  return {
    method: methods[operation],
    target: targetOf(url, request),
    headers: headersOf(request, dialect),
    ...(content !== undefined && { body: content instanceof JsonText ? content.text : JSON.stringify(content) }),
  };
}

/** The URL's own path when nothing else is addressed (TS-0009, clause 6.2.2.1). */
function targetOf(url: string, { to, resultContent, filterCriteria }: RequestPrimitive): string {
  const { pathname, search } = new URL(url);
  if (to === '') return `${pathname}${search}`;
  const path = to.split('/').map(encodeURIComponent).join('/');
  const address = path.startsWith('//')
    ? `/_/${path.slice(2)}`
    : path.startsWith('/')
      ? `/~/${path.slice(1)}`
      : `/${path}`;
  const query = [
    resultContent !== undefined && `rcn=${resultContent}`,
    filterCriteria?.filterUsage === 1 && 'fu=1',
  ].filter(Boolean);
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

function headersOf(request: RequestPrimitive, dialect: DialectName): Record<string, string> {
  const { operation, from, requestIdentifier, releaseVersionIndicator, resourceType, content } = request;
  const media =
    dialect === 'onem2m'
      ? 'application/json'
      : `application/vnd.onem2m-${operation === 'notify' ? 'ntfy' : 'res'}+json`;
  return {
    accept: dialect === 'onem2m' ? 'application/json' : 'application/vnd.onem2m-res+json',
    ...(from !== undefined && { 'x-m2m-origin': from }),
    ...(requestIdentifier !== undefined && { 'x-m2m-ri': requestIdentifier }),
    ...(releaseVersionIndicator !== undefined && { 'x-m2m-rvi': releaseVersionIndicator }),
    ...(content !== undefined && {
      'content-type': resourceType === undefined ? media : `${media};ty=${resourceType}`,
    }),
  };
}

function readAnswer({ status, headers, body }: OutgoingAnswer): ResponsePrimitive {
  const code = Number(headers['x-m2m-rsc'] ?? usualCode(status));
  return { status: statusOf(code, status), ...(body !== '' && { content: parsed(body) }) };
}

/** What an answer without X-M2M-RSC most likely means. */
function usualCode(http: number): number {
  if (http < 300) return 2000;
  return http === 404 ? 4004 : http === 403 ? 4103 : http < 500 ? 4000 : 5000;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
