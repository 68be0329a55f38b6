/** A configuration file from top to bottom, then each part against the others. */
import { dirname, relative, resolve } from 'node:path';
import type { Look } from './config-disk.ts';
import { type HttpConfiguration, readHttp } from './config-http.ts';
import { NotJson, parseJson } from './config-json.ts';
import {
  type GlobalConfiguration,
  type IdentityConfiguration,
  readAcceptInsecureCerts,
  readGlobal,
  readIdentity,
  readOverwriteOriginator,
} from './config-onem2m.ts';
import { readPlugins } from './config-plugins.ts';
import type { Findings } from './config-problem.ts';
import {
  checkRemotes,
  type RegistrationConfiguration,
  type RegistrationReading,
  readRegistration,
} from './config-registration.ts';
import { type Placed, quoted, Section } from './config-section.ts';
import type { TlsFiles } from './tls-files.ts';

export interface DocumentReading {
  readonly cse: IdentityConfiguration & GlobalConfiguration;
  /** Absent: the HTTPTransportPlugin is missing or disabled, so that the CSE does not listen. */
  readonly http?: HttpConfiguration;
  /** Absolute paths. Absent where nobody needs them and they are not all there. */
  readonly tls?: TlsFiles;
  readonly acceptInsecureCerts: boolean;
  /** Only where it is enabled. */
  readonly overwriteOriginator?: string;
  readonly overwriteForwarded?: boolean;
  /** Absent: the RegistrationHandler is missing or disabled. */
  readonly registration?: RegistrationConfiguration;
}

export interface Source {
  /** Paths in it are relative to its folder. */
  readonly file: string;
  /** Tells which certificates are there. */
  readonly look: Look;
}

/** Undefined only when an error was found; with other errors the reading may lack what they are about. */
export function readDocument(text: string, source: Source, findings: Findings): DocumentReading | undefined {
  const root = readRoot(text, findings);
  if (root === undefined) return undefined;
  const general = readGlobal(root.section('global'));
  const onem2m = root.section('onem2m');
  const plugins = readPlugins(root);
  root.require('onem2m', 'plugins');
  root.ignore('database', 'logging');
  root.done();
  const http = plugins.HTTPTransportPlugin && readHttp(plugins.HTTPTransportPlugin);
  const registration = plugins.RegistrationHandler && readRegistration(plugins.RegistrationHandler);
  const connections = { enableHttps: http?.enableHttps, registration };
  const own = onem2m && readOnem2m(onem2m, connections, source);
  checkRemotes(registration?.entries ?? [], { cseId: own?.cseId, enableHttps: http?.enableHttps }, findings);
  if (own?.identity === undefined) return undefined;
  return {
    cse: { ...own.identity, ...general },
    ...own.settings,
    ...(http?.complete && { http: http.complete }),
    ...(registration?.complete && { registration: registration.complete }),
  };
}

function readRoot(text: string, findings: Findings): Section | undefined {
  try {
    const { root, repeated } = parseJson(text);
    for (const key of repeated) findings.error(key, `the key ${quoted(key.value)} stands twice in the same object`);
    return Section.read(root, findings);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    findings.error(error.range, error.message);
    return undefined;
  }
}

interface Connections {
  readonly enableHttps: boolean | undefined;
  readonly registration: RegistrationReading | undefined;
}

function readOnem2m(onem2m: Section, connections: Connections, { file, look }: Source) {
  const { cseId, complete: identity } = readIdentity(onem2m);
  const overwriting = readOverwriteOriginator(onem2m);
  const acceptInsecureCerts = readAcceptInsecureCerts(onem2m);
  const neededBecause = whyCertificates(connections, acceptInsecureCerts);
  const tls = readCertificates(onem2m, { folder: dirname(resolve(file)), look, neededBecause });
  onem2m.done();
  const settings = { acceptInsecureCerts, ...overwriting, ...(tls && { tls }) };
  return { cseId, identity, settings };
}

/** A CSE that is reached over HTTPS is verified, and may ask this one for its certificate. */
function whyCertificates({ enableHttps, registration }: Connections, acceptsInsecure: boolean): string | undefined {
  if (enableHttps) return 'needed because enable_https is true';
  const secure = registration?.entries.flatMap(({ poa }) => poa).find((one) => one.secure);
  return secure && !acceptsInsecure ? `needed to reach ${quoted(secure.url)} over HTTPS` : undefined;
}

/** `ssl_certs`: whether the files are needed, and whether they are there. */
interface CertificatePaths {
  /** What the paths are relative to. */
  readonly folder: string;
  readonly look: Look;
  /** Why the files are needed, as the beginning of a sentence; undefined when they are not. */
  readonly neededBecause: string | undefined;
}

/** Absolute paths; undefined when one is missing or cannot be read, which is an error where the files are needed. */
function readCertificates(onem2m: Section, paths: CertificatePaths): TlsFiles | undefined {
  const section = onem2m.section('ssl_certs');
  if (section === undefined) {
    if (paths.neededBecause !== undefined && onem2m.node('ssl_certs') === undefined) {
      onem2m.findings.error(onem2m, `"ssl_certs" is missing; ${paths.neededBecause}`);
    }
    return undefined;
  }
  const [key, crt, ca] = [section.text('key'), section.text('crt'), section.text('ca')];
  if (paths.neededBecause !== undefined) section.require('key', 'crt', 'ca');
  section.done(paths.neededBecause);
  const readable = [key, crt, ca].filter((text) => text !== undefined && isReadable(text, section, paths));
  if (key && crt && ca && readable.length === 3) {
    return { key: inFolder(key, paths), crt: inFolder(crt, paths), ca: inFolder(ca, paths) };
  }
  if (paths.neededBecause === undefined) {
    section.findings.note(section, 'these files are not all there, and without HTTPS nobody needs them');
  }
  return undefined;
}

const inFolder = ({ value }: Placed<string>, { folder }: CertificatePaths) => resolve(folder, value);

function isReadable(text: Placed<string>, { findings }: Section, paths: CertificatePaths): boolean {
  const path = inFolder(text, paths);
  const why = paths.look(path);
  if (why !== undefined && paths.neededBecause !== undefined) {
    const lookedFor = relative(process.cwd(), path) || path;
    findings.error(text, `${quoted(text.value)} ${why} (looked for at ${lookedFor}); ${paths.neededBecause}`);
  }
  return why === undefined;
}
