/** Decides from the head of a request alone whether the binding takes it. */
import type { IncomingMessage } from 'node:http';
import { CseError } from '../core/status.ts';
import type { HttpService } from '../dialects/http-message.ts';
import type { HttpLimits } from './limits.ts';

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

/**
 * The origin form of a request target (RFC 9112, clause 3.2): raw path and query.
 * Absolute form loses scheme and authority; `*` stays for OPTIONS. Undefined: the target is not valid for the method.
 */
export function originForm(method: string, target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target.charCodeAt(0) === SLASH) return target;
  if (target === '*') return method === 'OPTIONS' ? target : undefined;
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute === null) return undefined;
  const pathAndQuery = absolute[1] ?? '';
  if (pathAndQuery === '') return method === 'OPTIONS' ? '*' : '/';
  return pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`;
}

const SLASH = 0x2f;
const ABSOLUTE_FORM = /^https?:\/\/[^/?]+(.*)$/is;

// The requests that a binding refuses itself, each as the error that the service turns into an answer.

/** The methods of the interface, for a request whose target is not read. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

const refusal = (what: string, http?: number): CseError =>
  new CseError('BAD_REQUEST', what, http === undefined ? {} : { http });

export const malformed = (why: string): CseError => refusal(`The request is not valid HTTP: ${why}.`);

export const badTarget = (): CseError =>
  malformed('the request target has to be a path or an http URL, without a fragment');

const badHost = (): CseError => refusal('An HTTP/1.1 request needs exactly one Host header with a valid value.');

export const bodyTooLarge = ({ bodyBytes }: HttpLimits): CseError =>
  refusal(`The request body is over the limit of ${bodyBytes} bytes.`, 413);

export const targetTooLong = ({ targetBytes }: HttpLimits): CseError =>
  refusal(`The request target is over the limit of ${targetBytes} bytes.`, 414);

export const tooManyHeaders = ({ headerCount }: HttpLimits): CseError =>
  refusal(`The request has more than the limit of ${headerCount} headers.`, 431);

const headersTooLarge = ({ headerBytes }: HttpLimits): CseError =>
  refusal(`The request headers are over the limit of ${headerBytes} bytes.`, 431);

/** For a head at which the parser gave up before it knew how its bytes divide into target and headers. */
export const headTooLarge = ({ targetBytes, headerBytes }: HttpLimits): CseError =>
  refusal(
    `The request target and headers together are over their limits of ${targetBytes} and ${headerBytes} bytes.`,
    431,
  );

export const chunkExtensionsTooLarge = (): CseError =>
  refusal('The chunk extensions of the request body are over the limit of 16384 bytes.', 413);

export const unmetExpectation = (): CseError =>
  refusal('The only expectation that the server meets is "Expect: 100-continue".', 417);

export const requestTimedOut = (limits: HttpLimits): CseError =>
  new CseError(
    'REQUEST_TIMEOUT',
    `The request did not arrive within the limit of ${limits.requestMilliseconds} milliseconds.`,
    // RFC 9110, clause 15.5.9: it is the client that was late.
    { http: 408 },
  );

export const methodNotAllowed = (): CseError =>
  new CseError('OPERATION_NOT_ALLOWED', `The server knows no such method; it knows ${METHODS.join(', ')}.`, {
    allow: METHODS,
  });

export const serviceFailed = (): CseError =>
  new CseError('INTERNAL_SERVER_ERROR', 'The service failed on this request; its log says why.');

/** Throws a TypeError for what is no service, such as a whole CSE in JavaScript: the first request would end the process. */
export function checkService({ handle }: HttpService): void {
  if (typeof handle !== 'function') throw new TypeError('this is not the HTTP service of a CSE; write cse.http');
}
