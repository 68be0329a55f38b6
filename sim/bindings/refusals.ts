/** The requests that a binding refuses itself, each as the error that the service turns into an answer. */
import { CseError } from '../core/status.ts';
import type { HttpLimits } from './limits.ts';

/** The methods of the interface, for a request whose target is not read. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

const refusal = (what: string, http?: number): CseError =>
  new CseError('BAD_REQUEST', what, http === undefined ? {} : { http });

export const malformed = (why: string): CseError => refusal(`The request is not valid HTTP: ${why}.`);

export const badTarget = (): CseError =>
  malformed('the request target has to be a path or an http URL, without a fragment');

export const badHost = (): CseError => refusal('An HTTP/1.1 request needs exactly one Host header with a valid value.');

export const bodyTooLarge = ({ bodyBytes }: HttpLimits): CseError =>
  refusal(`The request body is over the limit of ${bodyBytes} bytes.`, 413);

export const targetTooLong = ({ targetBytes }: HttpLimits): CseError =>
  refusal(`The request target is over the limit of ${targetBytes} bytes.`, 414);

export const tooManyHeaders = ({ headerCount }: HttpLimits): CseError =>
  refusal(`The request has more than the limit of ${headerCount} headers.`, 431);

export const headersTooLarge = ({ headerBytes }: HttpLimits): CseError =>
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
