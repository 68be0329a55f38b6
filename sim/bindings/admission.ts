/** Decides from the head of a request alone whether the binding takes it. */
import type { IncomingMessage } from 'node:http';
import type { CseError } from '../core/status.ts';
import type { HttpLimits } from './limits.ts';
import { badHost, bodyTooLarge, headersTooLarge, malformed, targetTooLong, tooManyHeaders } from './refusals.ts';

/** The refusal of this head, or undefined when the body may follow. */
export function refusalOfHead(message: IncomingMessage, limits: HttpLimits): CseError | undefined {
  const { headers } = message;
  if (message.httpVersion !== '1.1' && message.httpVersion !== '1.0') {
    return malformed(`version ${message.httpVersion} is not 1.1 or 1.0`);
  }
  return (
    refusalOfSizes(message.url ?? '', message.rawHeaders, limits) ??
    refusalOfHost(headers.host, message.httpVersion) ??
    refusalOfFraming(headers['transfer-encoding'], message.httpVersion) ??
    (Number(headers['content-length'] ?? 0) > limits.bodyBytes ? bodyTooLarge(limits) : undefined)
  );
}

export function refusalOfSizes(
  target: string,
  rawHeaders: readonly string[],
  limits: HttpLimits,
): CseError | undefined {
  if (target.length > limits.targetBytes) return targetTooLong(limits);
  if (rawHeaders.length > 2 * limits.headerCount) return tooManyHeaders(limits);
  let bytes = 0;
  for (const part of rawHeaders) bytes += part.length;
  return bytes > limits.headerBytes ? headersTooLarge(limits) : undefined;
}

/** Exactly one Host in HTTP/1.1 (RFC 9112, clause 3.2). Repeated lines arrive joined with a comma, which no host contains. */
function refusalOfHost(host: string | undefined, version: string): CseError | undefined {
  if (host === undefined) return version === '1.1' ? badHost() : undefined;
  if (host === acceptedHost) return undefined;
  if (!HOST.test(host)) return badHost();
  acceptedHost = host;
  return undefined;
}

/** The last one that was well-formed; nearly every request names the same. */
let acceptedHost = '';

const HOST = /^(?:\[[\w.:%]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/;

/** Codings other than chunked, and chunked in HTTP/1.0, leave the end of the body in doubt (RFC 9112, clause 6.1). */
function refusalOfFraming(coding: string | undefined, version: string): CseError | undefined {
  if (coding === undefined) return undefined;
  if (version === '1.0') return malformed('HTTP/1.0 has no Transfer-Encoding');
  return coding.toLowerCase() === 'chunked' ? undefined : malformed('the only Transfer-Encoding is chunked');
}
