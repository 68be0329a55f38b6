/** Who an application is, and the certificate that proves it ("Client side (AE or IPE)", constructor parameters). */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { subjectUris } from '../../certs/subject-uris.ts';
import type { OutgoingTls } from '../topology/client.ts';

export interface SslParameters {
  /** Path of the certificate chain file (`ca_certs`). */
  readonly caCerts?: string;
  /** Path of the client certificate file (`cert_file`). */
  readonly certFile?: string;
  /** Path of the client private key file (`key_file`). */
  readonly keyFile?: string;
  /** Of the private key, where it is encrypted. */
  readonly passphrase?: string;
  /**
   * Originator prefix (`originator_pre`), such as `//openmtc.org/mn-cse-1`: the originator is the prefix, a slash, and the
   * AE-ID `C<name>`. The whole identifier is taken as well. It must match the subjectAltName of the client certificate.
   */
  readonly originatorPre?: string;
}

/** What an application cannot start with: parameters that are missing, contradict each other, or do not fit. */
export class ApplicationEntityError extends Error {
  override readonly name = 'ApplicationEntityError';
}

/** `<prefix>/C<name>`; the prefix itself where it is the whole identifier; `C<name>` without one. */
export function originatorOf(name: string, originatorPre: string | undefined): string {
  if (originatorPre === undefined || originatorPre === '') return `C${name}`;
  const prefix = originatorPre.replace(/\/+$/, '');
  return /^\/\/[^/]+\/[^/]+\/[^/]+$/.test(prefix) ? prefix : `${prefix}/C${name}`;
}

/** Reads the files. Undefined over plain HTTP. Throws an ApplicationEntityError. */
export function readCredentials(cse: URL, parameters: SslParameters, originator: string): OutgoingTls | undefined {
  const { caCerts, certFile, keyFile, originatorPre, passphrase } = parameters;
  const missing = Object.entries({ certFile, keyFile }).filter(([, value]) => value === undefined);
  if (missing.length === 1) {
    throw new ApplicationEntityError(`${missing[0]?.[0]} is missing: a client certificate has a file and a key`);
  }
  if (cse.protocol !== 'https:') {
    if (caCerts === undefined && certFile === undefined) return undefined;
    throw new ApplicationEntityError(`SSL parameters are given, but ${cse.origin} is not an https URL`);
  }
  const ca = caCerts === undefined ? {} : { ca: readText('caCerts', caCerts) };
  if (certFile === undefined || keyFile === undefined) return ca;
  if (caCerts === undefined) throw new ApplicationEntityError('caCerts is missing: certificate and key are given');
  if (originatorPre === undefined) {
    throw new ApplicationEntityError('originatorPre is missing: it has to match the client certificate');
  }
  const cert = readText('certFile', certFile);
  const key = readText('keyFile', keyFile);
  checkCertificate(cert, { key, passphrase }, originator);
  return { ...ca, cert, key, ...(passphrase !== undefined && { passphrase }) };
}

function readText(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ApplicationEntityError(`${parameter}: ${(error as Error).message}`);
  }
}

interface Key {
  readonly key: string;
  readonly passphrase: string | undefined;
}

function checkCertificate(cert: string, { key, passphrase }: Key, originator: string): void {
  const certificate = parsed('certFile', () => new X509Certificate(cert));
  const options = passphrase === undefined ? { key } : { key, passphrase };
  const privateKey = parsed('keyFile', () => createPrivateKey(options));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ApplicationEntityError('keyFile does not fit the certificate of certFile');
  }
  const uris = subjectUris(certificate);
  if (!uris.includes(originator)) {
    const has = uris.length === 0 ? 'has no URI' : `has ${uris.join(', ')}`;
    throw new ApplicationEntityError(
      `originatorPre does not match the certificate: the originator would be ${originator}, and its subjectAltName ${has}`,
    );
  }
  if (new Date(certificate.validTo).getTime() > Date.now()) return;
  throw new ApplicationEntityError(`the certificate of certFile expired on ${certificate.validTo}`);
}

function parsed<T>(parameter: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new ApplicationEntityError(
      `${parameter} cannot be read as PEM${parameter === 'keyFile' ? ', or its passphrase is wrong' : ''}`,
    );
  }
}
