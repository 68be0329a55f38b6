/** `cselab up --register-at`, `--own-url` and `--certs`: a CSE among others elsewhere, in containers for example. */

import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CertificateDirectory, type CertificatePair } from '../../certs/shipped.ts';
import { subjectUris } from '../../certs/subject-uris.ts';
import { attempt } from '../core/status.ts';
import { wireNames, wireOf } from '../dialects/outgoing-message.ts';
import { defaultNames } from '../environment/default-names.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import type { RemoteCse } from '../topology/registration-requests.ts';
import type { TlsFiles } from '../topology/tls-files.ts';
import { type UpOptions, UpOptionsError } from './options.ts';

/** The options, without an own backend where there is one elsewhere. Throws an UpOptionsError for a contradiction. */
export function optionsForRemote(options: UpOptions): UpOptions {
  const { registerAt, ownUrl, backend, backendPort, gateway, gateways, certs } = options;
  const wire = wireOf(registerAt ?? '') ?? 'http';
  if (certs !== undefined && !existsSync(certs)) throw new UpOptionsError(`--certs: there is no directory "${certs}"`);
  if (ownUrl !== undefined) originOf(ownUrl, '--own-url');
  if (ownUrl !== undefined && gateways > 1)
    throw new UpOptionsError('--own-url is the URL of one CSE; it goes without --gateways');
  if (registerAt === undefined) return options;
  if (gateway === false) throw new UpOptionsError('--register-at is for gateways; it goes without --no-gateway');
  if ((backend || undefined) !== undefined || backendPort !== undefined) {
    throw new UpOptionsError('--register-at names a backend elsewhere; it goes without --backend and --backend-port');
  }
  if (wire !== 'http' && options[wire] === undefined) {
    throw new UpOptionsError(`--register-at names a backend over ${wireNames[wire]}; it goes with --${wire}`);
  }
  return { ...options, backend: false };
}

/** The backend of `--register-at`, as far as it is known; undefined without the flag. */
export function remoteBackend({ registerAt, dialect, as }: UpOptions): RemoteCse | undefined {
  if (registerAt === undefined) return undefined;
  if ((wireOf(registerAt) ?? 'http') === 'http') originOf(registerAt, '--register-at');
  const { protocol, host, pathname } = new URL(registerAt);
  const usual = defaultNames[dialect === 'onem2m' && as === undefined ? 'onem2m' : 'documented'].backend;
  const [, cseId, base] =
    pathname.length <= 1 ? ['', usual.cseId, usual.base] : (/^\/~\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? []);
  if (cseId === undefined || base === undefined) {
    throw new UpOptionsError(
      '--register-at is a URL such as http://backend:18000, or that of a CSE base: http://backend:18000/~/in-cse-1/onem2m',
    );
  }
  return { cseId, base, cseType: 'IN-CSE', poa: [`${protocol}//${host}`], ownPoa: [] };
}

/** A registration like the one in the gateway's file. */
export function registrationAt(remote: RemoteCse, { registration }: NodeSettings) {
  const { interval = 3600, offset = 3600, labels = ['cselab'] } = registration ?? {};
  return { interval, offset, labels, remoteCses: [remote] };
}

/** The point of access from `--own-url`. */
export const ownPoaOf = ({ ownUrl }: UpOptions): string[] | undefined =>
  ownUrl === undefined ? undefined : [originOf(ownUrl, '--own-url')];

/** The settings with each registrar changed. */
export function withRemotes(settings: NodeSettings, changed: (remote: RemoteCse) => RemoteCse): NodeSettings {
  const { registration } = settings;
  if (registration === undefined) return settings;
  return { ...settings, registration: { ...registration, remoteCses: registration.remoteCses.map(changed) } };
}

/** The files of `cselab certs make` for a CSE of that name. Throws an UpOptionsError where they are missing. */
export function certificatesOf(cseId: string, certs: string): TlsFiles {
  const directory = new CertificateDirectory(certs);
  const { cert, key } = directory.certificate(`${cseId}-client-server`);
  const missing = [cert, key, directory.chain].find((path) => !existsSync(path));
  if (missing !== undefined) throw new UpOptionsError(`--certs: there is no file "${missing}"`);
  return { key, crt: cert, ca: directory.chain };
}

/**
 * An application with certificate and key beside this chain, as `cselab certs make` and certs/ have them; undefined where there is none.
 */
export function applicationBeside(chain: string): (CertificatePair & { readonly originator: string }) | undefined {
  const directory = new CertificateDirectory(dirname(chain));
  const names = existsSync(directory.path) ? readdirSync(directory.path).toSorted() : [];
  for (const name of names.filter((one) => one.endsWith('.cert.pem'))) {
    const pair = directory.certificate(name.slice(0, -'.cert.pem'.length));
    const originator = existsSync(pair.key) && applicationIn(pair.cert);
    if (originator) return { ...pair, originator };
  }
  return undefined;
}

/** The identifier of an application (`//sp/cse/ae`) in a certificate; that of a CSE is shorter. */
function applicationIn(file: string): string | undefined {
  // It may be another file, or not be readable.
  const uris = attempt(() => subjectUris(new X509Certificate(readFileSync(file))));
  return uris?.find((uri) => /^\/\/[^/]+\/[^/]+\/[^/]+$/.test(uri));
}

function originOf(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UpOptionsError(`${flag} is an http or https URL, not "${text}"`);
  }
  return url.origin;
}

/** In the onem2m dialect, or as a product, there is a backend only where flags request one. */
export function wantsBackend({ dialect, as, backend, backendPort, gateway, gateways }: UpOptions): boolean {
  if (backend === false) return false;
  const isAlone = dialect === 'onem2m' || as !== undefined;
  return !isAlone || gateway === false || gateways > 1 || (backend ?? backendPort) !== undefined;
}

/** The shipped settings with the default names of the onem2m dialect. */
export function withStandardNames(shipped: NodeSettings, role: 'gateway' | 'backend'): NodeSettings {
  const { requireAuth: _documented, ...cse } = shipped.cse;
  return { ...shipped, cse: { ...cse, ...defaultNames.onem2m[role] } };
}
