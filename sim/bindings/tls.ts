/** HTTPS: what a server needs beyond HTTP, and who its peer is (`gaps`, rows 32, 35 and 36). */
import { constants, createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { subjectUris } from '../../certs/subject-uris.ts';
import type { Peer } from '../dialects/http-message.ts';
import type { nodeOptions } from './http.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { HttpLimits } from './limits.ts';

/** PEM texts. */
export interface TlsMaterial {
  readonly key: string;
  /** The own certificate, then intermediate ones. */
  readonly cert: string;
  /** The authorities by which certificates of clients are verified. */
  readonly ca: string;
  readonly passphrase?: string;
}

export interface TlsOptions {
  readonly material: TlsMaterial;
  /**
   * `ignored`: clients are not asked for one. `optional`, `required`: they are asked, and a connection whose certificate
   * cannot be verified is cut; whether there is one at all is for the service to check. `required at handshake`: without
   * one the handshake fails.
   */
  readonly clientCertificate: 'ignored' | 'optional' | 'required' | 'required at handshake';
  /** Whether a client is accepted although its certificate cannot be verified, for this reason; none is unless given. */
  readonly overlooks?: (objection: string) => boolean;
}

/** Key, certificate and authorities that cannot be used together; the message says what does not fit. */
export class TlsMaterialError extends Error {
  override readonly name = 'TlsMaterialError';
}

export type TlsServer = Server<typeof IncomingRequest>;

/** Throws a TlsMaterialError. */
export function createTlsServer(
  options: ReturnType<typeof nodeOptions>,
  { material, clientCertificate }: TlsOptions,
  limits: HttpLimits,
): TlsServer {
  return createServer({
    ...options,
    ...contextOf(material),
    requestCert: clientCertificate !== 'ignored',
    rejectUnauthorized: clientCertificate === 'required at handshake',
    handshakeTimeout: limits.handshakeMilliseconds,
  });
}

/**
 * Throws a TlsMaterialError. Sessions are never resumed: a resumed one would carry the verdict on a certificate that may
 * have expired since, or was verified by authorities that were replaced (RFC 8446, clause 4.6.1, leaves that to the server).
 */
export function contextOf(material: TlsMaterial): SecureContextOptions {
  const { key, cert, ca, passphrase } = material;
  const options = {
    ...({
      key,
      cert,
      ca,
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    } as const),
    ...(passphrase !== undefined && { passphrase }),
  };
  try {
    const own = new X509Certificate(cert);
    const fits = own.checkPrivateKey(createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }));
    if (!fits) throw new TlsMaterialError('the private key does not fit the certificate');
    // node reads a text without any certificate as an empty list.
    new X509Certificate(ca);
    createSecureContext(options);
  } catch (error) {
    if (error instanceof TlsMaterialError) throw error;
    throw new TlsMaterialError(`key, certificate or chain cannot be used: ${(error as Error).message}`);
  }
  return options;
}

/** Of clients that are accepted although their certificates cannot be verified. */
const accepted = new WeakSet<Socket>();

/** The certificate counts as verified from now on. */
export function acceptAnyway(socket: Socket): void {
  accepted.add(socket);
}

/** Undefined without TLS. Only for sockets whose certificate, if any, was verified. */
export function peerOf(socket: Socket): Peer | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  if (!socket.authorized && !accepted.has(socket)) return { uris: undefined };
  const certificate = socket.getPeerX509Certificate();
  return { uris: certificate === undefined ? [] : subjectUris(certificate) };
}

/** Why the certificate that the client presents cannot be verified; undefined when it can, or when there is none. */
export function objectionTo(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket) || socket.authorized || accepted.has(socket)) return undefined;
  return socket.getPeerX509Certificate() && String(socket.authorizationError);
}
