import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { urisIn } from '../../../certs/subject-uris.ts';
import type { Over } from '../grammar/grammar-step.ts';
import type { TlsFacts } from '../results/exchange.ts';
import type { ClientCertificate } from './target.ts';

/** How the certificate of a target is verified. */
export interface Trust {
  /** PEM text; the authorities of node when absent. */
  readonly ca?: string;
  /** Its file, for command lines. */
  readonly caFile?: string;
  /** No verification. */
  readonly insecure?: boolean;
}

const versions: Partial<Readonly<Record<Over, TlsOptions>>> = {
  'TLS 1.2': { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' },
  'TLS 1.3': { minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' },
};

/** Options common to the HTTP client and sockets. */
type TlsOptions = Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key' | 'pfx' | 'passphrase' | 'rejectUnauthorized' | 'minVersion' | 'maxVersion'
>;

/** Options of node:tls. Verifies unless told otherwise. */
export function tlsOptions(
  trust: Trust,
  certificate: ClientCertificate | undefined,
  over: Over | undefined,
): TlsOptions {
  return {
    ...(trust.ca !== undefined && { ca: trust.ca }),
    rejectUnauthorized: trust.insecure !== true,
    ...certificate?.identity,
    ...(over !== undefined && versions[over]),
  };
}

const verifications: ReadonlyArray<readonly [codes: RegExp, sentence: string]> = [
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'it is self-signed'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/,
    'its authority is not known',
  ],
  [/^CERT_HAS_EXPIRED$/, 'it has expired'],
  [/^CERT_NOT_YET_VALID$/, 'it is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'it is for another host'],
  [/^INVALID_PURPOSE$/, 'it is not for servers'],
  [/^CERT_SIGNATURE_FAILURE$/, 'its signature is wrong'],
];

/** Why the certificate of the target does not verify, by the code of node; undefined for any other code. */
export function verificationProblem(code: string): string | undefined {
  return verifications.find(([codes]) => codes.test(code))?.[1];
}

/** Facts of a finished handshake; the verification only where the user wants it. */
export function factsOf(socket: TLSSocket, { ca, insecure = false }: Trust): TlsFacts {
  const version = socket.getProtocol()?.replace(/^TLSv/, 'TLS ');
  const { authorized, authorizationError } = socket;
  const code = String(authorizationError);
  const verification = authorized ? 'verified' : (verificationProblem(code) ?? code);
  const uris = urisIn(socket.getPeerX509Certificate()?.subjectAltName ?? '');
  return {
    handshake: 'completed',
    ...(version && { version }),
    server: { uris, ...((!insecure || ca !== undefined) && { verification }) },
  };
}

/** Alerts by number (RFC 8446, section 6; RFC 5246, section 7.2). */
const alerts: Readonly<Record<number, string>> = {
  0: 'close notify',
  10: 'unexpected message',
  20: 'bad record mac',
  22: 'record overflow',
  40: 'handshake failure',
  42: 'bad certificate',
  43: 'unsupported certificate',
  44: 'certificate revoked',
  45: 'certificate expired',
  46: 'certificate unknown',
  47: 'illegal parameter',
  48: 'unknown ca',
  49: 'access denied',
  50: 'decode error',
  51: 'decrypt error',
  70: 'protocol version',
  71: 'insufficient security',
  80: 'internal error',
  86: 'inappropriate fallback',
  90: 'user canceled',
  109: 'missing extension',
  110: 'unsupported extension',
  112: 'unrecognized name',
  113: 'bad certificate status response',
  115: 'unknown psk identity',
  116: 'certificate required',
  120: 'no application protocol',
};

/** The alert of the other side, from an error of node:tls; undefined when the error has none. */
export function alertIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const number = /SSL alert number (\d+)/.exec(message)?.[1];
  return number === undefined ? undefined : (alerts[Number(number)] ?? `alert ${number}`);
}
