import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { createSecureContext, type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import { datesProblem } from '../../../certs/certificate-chain.ts';
import { subjectUris, urisIn } from '../../../certs/subject-uris.ts';
import { UsageError, unreadable } from '../basics/diagnostics.ts';
import type { CertificateName } from '../grammar/vocabulary.ts';
import type { ClientCertificate } from '../messages/target.ts';

export interface CertificateFiles {
  /** Path of the certificate, with its chain and optionally its key, or of a PKCS#12 file. */
  readonly cert: string;
  /** Path of the key, where it is not in the same file. */
  readonly key?: string;
  /** By the ending of the file when absent. */
  readonly type?: 'PEM' | 'P12';
  readonly passphrase?: string;
  /** Asks for the passphrase of a file; absent where nobody can be asked. */
  readonly askPassphrase?: (file: string) => Promise<string>;
  /** The paths for command lines, where different. */
  readonly displayPaths?: { readonly cert: string; readonly key?: string };
}

/** Reads a client certificate. Rejects with a UsageError that says what is wrong with which file. */
export async function readCertificate(name: CertificateName, files: CertificateFiles): Promise<ClientCertificate> {
  const type = files.type ?? (/\.(p12|pfx)$/i.test(files.cert) ? 'P12' : 'PEM');
  return type === 'P12' ? readPkcs12(name, files) : readPem(name, files);
}

/** The text of a file of certificates in PEM form. */
export async function readAuthorities(path: string): Promise<string> {
  const text = await textOf(path);
  parsed(text, path);
  return text;
}

async function readPem(name: CertificateName, files: CertificateFiles): Promise<ClientCertificate> {
  const cert = await textOf(files.cert);
  const certificate = parsed(cert, files.cert);
  const keyFile = files.key ?? files.cert;
  const key = files.key === undefined ? cert : await textOf(files.key);
  if (!key.includes('PRIVATE KEY-----')) throw new UsageError(noKeyIn(keyFile, files));
  const passphrase = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(key)
    ? await passphraseOf(keyFile, files)
    : undefined;
  if (!certificate.checkPrivateKey(privateKey(key, passphrase, keyFile))) {
    throw new UsageError(`the private key in ${keyFile} does not belong to the certificate in ${files.cert}`);
  }
  const { cert: displayCert, key: displayKey = files.key } = files.displayPaths ?? files;
  return {
    name,
    identity: { cert, key, ...(passphrase !== undefined && { passphrase }) },
    uris: subjectUris(certificate),
    files: { cert: displayCert, ...(displayKey !== undefined && { key: displayKey }) },
  };
}

function noKeyIn(file: string, { key }: CertificateFiles): string {
  return key === undefined
    ? `${file} holds no private key; name its file with --key`
    : `${file} holds no private key in PEM form`;
}

async function readPkcs12(name: CertificateName, files: CertificateFiles): Promise<ClientCertificate> {
  if (files.key !== undefined)
    throw new UsageError(`--key does not go with ${files.cert}: a PKCS#12 file holds the key`);
  const pfx = await bytesOf(files.cert);
  const open = openPkcs12(pfx, undefined, files.cert);
  const passphrase = open === undefined ? await passphraseOf(files.cert, files) : undefined;
  const context = open ?? openPkcs12(pfx, passphrase, files.cert);
  if (context === undefined) throw new UsageError(`the passphrase does not open ${files.cert}`);
  return {
    name,
    identity: { pfx, ...(passphrase !== undefined && { passphrase }) },
    uris: urisIn(certificateIn(context).subjectaltname ?? ''),
    files: { cert: files.displayPaths?.cert ?? files.cert, type: 'P12' },
  };
}

/** Undefined when the passphrase is wrong, or one is needed. */
function openPkcs12(pfx: Buffer, passphrase: string | undefined, file: string): SecureContext | undefined {
  try {
    return createSecureContext({ pfx, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const { message } = error as Error;
    if (/mac verify failure/i.test(message)) return undefined;
    const old = /unsupported/i.test(message) ? ' (perhaps made by an old program; export it again)' : '';
    throw new UsageError(`${file} cannot be read as PKCS#12: ${message}${old}`);
  }
}

/** node reads PKCS#12 files for connections only, so that one is prepared, but never opened. */
function certificateIn(secureContext: SecureContext): Partial<PeerCertificate> {
  const socket = new TLSSocket(new Socket(), { secureContext });
  const certificate = socket.getCertificate();
  socket.destroy();
  return certificate ?? {};
}

async function passphraseOf(file: string, { passphrase, askPassphrase }: CertificateFiles): Promise<string> {
  if (passphrase !== undefined) return passphrase;
  if (askPassphrase !== undefined) return askPassphrase(file);
  throw new UsageError(
    `${file} is encrypted: put its passphrase into the variable CSELAB_PASSPHRASE, or start cselab in a terminal to be asked`,
  );
}

function privateKey(key: string, passphrase: string | undefined, file: string): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    if (passphrase !== undefined) throw new UsageError(`the passphrase does not open ${file}`);
    throw new UsageError(`the private key in ${file} cannot be read: ${(error as Error).message}`);
  }
}

function parsed(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new UsageError(`${file} holds no certificate in PEM form`);
  }
}

async function textOf(path: string): Promise<string> {
  return (await bytesOf(path)).toString('utf8');
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Throws a UsageError for a client certificate that permits no verdict: one that is out of date, or, where it has to provide
 * the originator, one without a URI. `now` in milliseconds since 1970.
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
  const { valid_from: validFrom = '', valid_to: validTo = '' } = certificateIn(createSecureContext(identity));
  return { validFrom, validTo };
}
