/** What node's HTTP parser, or its timer, reports about bytes that never became a request. */

import type { Socket } from 'node:net';
import type { CseError } from '../core/status.ts';
import {
  chunkExtensionsTooLarge,
  headTooLarge,
  malformed,
  methodNotAllowed,
  requestTimedOut,
  targetTooLong,
} from './admission.ts';
import type { HttpLimits } from './limits.ts';

/** The error of node's `clientError` event. */
export interface ParseError extends Error {
  readonly code?: string;
  readonly reason?: string;
  /** Offset in rawPacket at which the parser stopped. */
  readonly bytesParsed?: number;
  /** The piece that was being parsed; earlier pieces of the request are not in it. */
  readonly rawPacket?: Buffer;
}

/** The refusal to answer with, or undefined when nobody waits for an answer. */
export function refusalOfBytes(error: ParseError, limits: HttpLimits): CseError | undefined {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimedOut(limits);
    case 'HPE_HEADER_OVERFLOW':
      return stoppedInRequestLine(error) ? targetTooLong(limits) : headTooLarge(limits);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return chunkExtensionsTooLarge();
    case 'HPE_INVALID_METHOD':
      return stoppedAtUnknownMethod(error) ? methodNotAllowed() : malformed('it does not begin with a method');
    case 'HPE_PAUSED_H2_UPGRADE':
      return malformed('HTTP/2 is not served');
    default:
      return error.code?.startsWith('HPE_') ? malformed(error.reason ?? 'it cannot be parsed') : undefined;
  }
}

/** True for bytes that are no TLS record, and for an alert with which the client gives up. */
export function brokeTls({ code }: ParseError): boolean {
  return code?.startsWith('ERR_SSL_') ?? false;
}

/** True when the piece shows that the request is a HEAD: its answer has no body. */
export function stoppedOnHead(error: ParseError): boolean {
  return error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const VERSION = /^ HTTP\/1\.[01]\r?\n/;
const HEADER_LINE = /^[\w!#$%&'*+.^`|~-]+:/;

/**
 * A long request line arrives in several pieces, of which only this one is known: it shows the method, or the version
 * after the target, or neither. In the last case the line may as well be a header, and counts as one.
 */
function stoppedInRequestLine(error: ParseError): boolean {
  const piece = (error.rawPacket ?? NOTHING).toString('latin1');
  const stop = error.bytesParsed ?? 0;
  const line = piece.slice(piece.lastIndexOf('\n', stop - 1) + 1, stop);
  if (HEADER_LINE.test(line)) return false;
  const [method, target] = line.split(' ', 3);
  return VERSION.test(piece.slice(stop, stop + 11)) || (method !== '' && target !== undefined);
}

/** A method that the parser does not know, in a request line that is otherwise whole. Bytes of an earlier body may precede it. */
function stoppedAtUnknownMethod(error: ParseError): boolean {
  const piece = (error.rawPacket ?? NOTHING).toString('latin1');
  let start = error.bytesParsed ?? 0;
  while (start > 0 && TOKEN.test(piece.charAt(start - 1))) start--;
  const lineEnd = piece.indexOf('\n', start);
  if (lineEnd === -1) return false;
  const [method = '', target = '', version = '', ...more] = piece.slice(start, lineEnd).trimEnd().split(' ');
  return TOKEN.test(method) && target !== '' && /^HTTP\/1\.[01]$/.test(version) && more.length === 0;
}

const NOTHING = Buffer.alloc(0);

// Failures of connections, each as one line for a log: never a secret, never a stack.

export type OnIncident = (line: string) => void;

export function incident(socket: Socket, what: string): string {
  const address = socket.remoteAddress;
  return `${address === undefined ? 'a client' : `${address} port ${socket.remotePort}`}: ${what}`;
}

const ofHandshake: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ERR_SSL_HTTP_REQUEST: 'plain HTTP arrived at the HTTPS port',
    ERR_TLS_HANDSHAKE_TIMEOUT: 'the TLS handshake did not end in time (handshakeMilliseconds)',
    ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: 'the client presents no certificate, and one is required',
    ECONNRESET: 'the client disconnected during the TLS handshake',
  }),
);

/** An error of a connection whose TLS handshake failed. */
export function ofTls({ code = '', message }: ParseError): string {
  return ofHandshake.get(code) ?? `the TLS handshake failed: ${code || message}`;
}

/** What a client sent, where that is worth a line; undefined for malformed bytes. */
export function ofBytes({ code, rawPacket }: ParseError): string | undefined {
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'HPE_INVALID_EOF_STATE') {
    return 'the client disconnected during a request';
  }
  const isClientHello = rawPacket?.[0] === 0x16 && rawPacket[1] === 0x03;
  return isClientHello ? 'a TLS handshake arrived at the HTTP port' : undefined;
}

/** A connection beyond the limit. */
export function overLimit(address: string | undefined, { connections }: Pick<HttpLimits, 'connections'>): string {
  return `${address ?? 'a client'}: a connection is closed, since there are ${connections}, which is the limit (connections)`;
}
