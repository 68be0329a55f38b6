import { X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { datesProblem } from '../../../certs/certificate-chain.ts';
import { UsageError } from '../files/diagnostics.ts';
import type { ClientCertificate } from './target.ts';

/**
 * Throws a UsageError for a client certificate with which no run can come to a verdict: one that is out of date, and where the
 * originator is to come from it, one without a URI. `now` in milliseconds since 1970.
 */
export function assertUsable(
  certificate: ClientCertificate | undefined,
  namesOriginator: boolean,
  now = Date.now(),
): void {
  if (certificate === undefined) return;
  const { files, uris } = certificate;
  const dates = datesProblem(datesOf(certificate), now);
  if (dates !== undefined) throw new UsageError(`the client certificate ${files.cert} cannot be used: ${dates}`);
  if (!namesOriginator || uris.length > 0) return;
  throw new UsageError(
    `the client certificate ${files.cert} cannot be used: its subjectAltName has no URI, which is to be the originator. Give a certificate with one, or --originator`,
  );
}

function datesOf({ identity }: ClientCertificate): Pick<X509Certificate, 'validFrom' | 'validTo'> {
  if (typeof identity.cert === 'string') return new X509Certificate(identity.cert);
  // node reads a PKCS#12 file for connections only, so one is prepared, and never made.
  const socket = new TLSSocket(new Socket(), { secureContext: createSecureContext(identity) });
  const certificate = socket.getCertificate();
  socket.destroy();
  const { valid_from: validFrom = '', valid_to: validTo = '' } =
    certificate !== null && 'valid_to' in certificate ? certificate : {};
  return { validFrom, validTo };
}
