/** Failures of connections, each as one line for a log: never a secret, never a stack. */
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';
import type { ParseError } from './parse-error.ts';

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
