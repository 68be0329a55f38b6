/** The identity of an application, and its certificate ("Client side (AE or IPE)", constructor parameters). */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { subjectUris } from '../../certs/subject-uris.ts';
import { HttpClient, type OutgoingTls } from '../bindings/client.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import { defined } from '../environment/defined.ts';
import type { ApplicationEntityOptions } from './options.ts';
import type { Tasks } from './tasks.ts';

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
   * AE-ID `C<name>`. The whole identifier, `//openmtc.org/mn-cse-1/CTest-AE`, is taken as well. It must match the
   * subjectAltName of the client certificate. Without it the originator is `C<name>`.
   */
  readonly originatorPre?: string;
}

/** Parameters that an application cannot start with: they are missing, contradict each other, or do not fit. */
export class ApplicationEntityError extends Error {
  override readonly name = 'ApplicationEntityError';
}

/** `<prefix>/C<name>`; the prefix itself where it is the whole identifier; `C<name>` without one. */
export function originatorOf(name: string, originatorPre: string | undefined): string {
  if (originatorPre === undefined || originatorPre === '') return `C${name}`;
  const prefix = originatorPre.replace(/\/+$/, '');
  return /^\/\/[^/]+\/[^/]+\/[^/]+$/.test(prefix) ? prefix : `${prefix}/C${name}`;
}

/**
 * Reads the files of the SSL parameters. Undefined over plain HTTP. Without certificate and key the application speaks HTTPS
 * but presents nothing, for a CSE that does not require a certificate. Throws an ApplicationEntityError.
 */
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
  const ca = caCerts === undefined ? {} : { ca: readCertificates('caCerts', caCerts) };
  if (certFile === undefined || keyFile === undefined) return ca;
  if (caCerts === undefined) throw new ApplicationEntityError('caCerts is missing: certificate and key are given');
  if (originatorPre === undefined) {
    throw new ApplicationEntityError('originatorPre is missing: it has to match the client certificate');
  }
  const cert = readCertificates('certFile', certFile);
  const key = readText('keyFile', keyFile);
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(readKey(key, keyFile, passphrase))) {
    throw new ApplicationEntityError(`keyFile does not fit the certificate of certFile: ${keyFile}, ${certFile}`);
  }
  checkCertificate(certificate, certFile, originator);
  return { ...ca, cert, key, ...(passphrase !== undefined && { passphrase }) };
}

/** When the files of the SSL parameters were last changed, as a text that differs after each change. */
export function changesOf({ caCerts, certFile, keyFile }: SslParameters): string {
  const paths = [caCerts, certFile, keyFile].filter((path) => path !== undefined);
  return paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 'absent').join(' ');
}

function readText(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ApplicationEntityError(`${parameter}: ${(error as Error).message}`);
  }
}

function readCertificates(parameter: string, path: string): string {
  const text = readText(parameter, path);
  parseOrThrow(`${parameter} cannot be read as PEM certificates: ${path}`, () => new X509Certificate(text));
  return text;
}

function readKey(key: string, path: string, passphrase: string | undefined): KeyObject {
  const problem = `keyFile cannot be read as PEM, or its passphrase is missing or wrong: ${path}`;
  return parseOrThrow(problem, () => createPrivateKey(passphrase === undefined ? key : { key, passphrase }));
}

function checkCertificate(certificate: X509Certificate, path: string, originator: string): void {
  const uris = subjectUris(certificate);
  if (!uris.includes(originator)) {
    const has = uris.length === 0 ? 'has no URI' : `has ${uris.join(', ')}`;
    throw new ApplicationEntityError(
      `originatorPre does not match the certificate: the originator would be ${originator}, and its subjectAltName ${has}`,
    );
  }
  const { validFrom, validTo } = certificate;
  // By the system's time, as the TLS handshake is, even where the application has another clock.
  const now = Date.now();
  if (new Date(validTo).getTime() <= now) {
    throw new ApplicationEntityError(`the certificate of certFile expired on ${validTo}: ${path}`);
  }
  if (new Date(validFrom).getTime() > now) {
    throw new ApplicationEntityError(`the certificate of certFile is not valid before ${validFrom}: ${path}`);
  }
}

function parseOrThrow<T>(problem: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new ApplicationEntityError(problem);
  }
}

/** Microseconds. */
const checkInterval = 1_000_000;

/**
 * An HTTP or HTTPS client for one application. Certificates are replaced while it runs: the files are checked before a
 * request, at most once a second of the clock. While they are unusable, for instance half written, the former ones are
 * presented, and `report` is called once for each change. Throws an ApplicationEntityError when the SSL parameters are
 * incomplete or do not fit.
 */
export function applicationClient(
  cse: URL,
  originator: string,
  parameters: ApplicationEntityOptions,
  { clock, report }: Tasks,
) {
  let [changes, checkedAt] = [changesOf(parameters), clock.now()];
  const read = () => readCredentials(cse, parameters, originator);
  const client = new HttpClient(defined({ tls: read(), timeout: parameters.timeout }));
  const checkFiles = (): void => {
    if (clock.now() - checkedAt < checkInterval) return;
    checkedAt = clock.now();
    const latest = changesOf(parameters);
    if (latest === changes) return;
    changes = latest;
    try {
      client.renewTls(read() ?? {});
    } catch (error) {
      report(error);
    }
  };
  const send: Sender['send'] = (baseUrl, request) => {
    checkFiles();
    return client.send(baseUrl, request);
  };
  return { send, close: () => client.close() };
}
