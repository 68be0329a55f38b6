/** `cselab up --register-at`, `--own-url` and `--certs`: a CSE among others that run elsewhere, in containers for example. */

import { existsSync } from 'node:fs';
import { CertificateDirectory } from '../../certs/shipped.ts';
import type { CseOptions } from '../create-cse.ts';
import type { NodeSettings } from '../topology/node.ts';
import type { RemoteCse } from '../topology/registration-requests.ts';
import { usualNames } from '../usual-names.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options.ts';

/** The options, without a backend of their own where there is one elsewhere. Throws an UpOptionsError for a contradiction. */
export function optionsForPlace(options: UpOptions): UpOptions {
  const { registerAt, ownUrl, backend, backendPort, gateway, gateways, certs } = options;
  if (certs !== undefined && !existsSync(certs)) throw new UpOptionsError(`--certs: there is no directory "${certs}"`);
  if (ownUrl !== undefined) originOf(ownUrl, '--own-url');
  if (ownUrl !== undefined && gateways > 1)
    throw new UpOptionsError('--own-url is the URL of one CSE; it goes without --gateways');
  if (registerAt === undefined) return options;
  if (gateway === false) throw new UpOptionsError('--register-at is for gateways; it goes without --no-gateway');
  if ((backend || undefined) !== undefined || backendPort !== undefined) {
    throw new UpOptionsError('--register-at names a backend elsewhere; it goes without --backend and --backend-port');
  }
  return { ...options, backend: false };
}

/** The backend that `--register-at` names, as far as it is known from here; undefined without the flag. */
export function remoteBackend({ registerAt, dialect, as }: UpOptions): RemoteCse | undefined {
  if (registerAt === undefined) return undefined;
  const poa = [originOf(registerAt, '--register-at')];
  const { pathname } = new URL(registerAt);
  const usual = usualNames[dialect === 'onem2m' && as === undefined ? 'onem2m' : 'documented'].backend;
  const [, cseId, base] =
    pathname === '/' ? ['', usual.cseId, usual.base] : (/^\/~\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? []);
  if (cseId === undefined || base === undefined) {
    throw new UpOptionsError(
      '--register-at is a URL such as http://backend:18000, or that of a CSE base: http://backend:18000/~/in-cse-1/onem2m',
    );
  }
  return { cseId, base, cseType: 'IN-CSE', poa, ownPoa: [] };
}

/** A gateway that registers at the backend elsewhere, where there is one. */
export function registering(settings: NodeSettings, options: UpOptions): NodeSettings {
  const remote = remoteBackend(options);
  if (remote === undefined) return settings;
  const { interval = 3600, offset = 3600, labels = ['cselab'] } = settings.registration ?? {};
  return { ...settings, registration: { interval, offset, labels, remoteCses: [remote] } };
}

/** Says everywhere that the CSE is reached by `--own-url`. */
export function reachedBy(settings: NodeSettings, { ownUrl }: UpOptions): NodeSettings {
  if (ownUrl === undefined) return settings;
  const ownPoa = [originOf(ownUrl, '--own-url')];
  const registered = withRemotes(settings, (remote) => ({ ...remote, ownPoa }));
  return { ...registered, cse: { ...settings.cse, pointOfAccess: ownPoa } };
}

/** With each CSE changed at which it registers. */
export function withRemotes(settings: NodeSettings, changed: (remote: RemoteCse) => RemoteCse): NodeSettings {
  const { registration } = settings;
  if (registration === undefined) return settings;
  return { ...settings, registration: { ...registration, remoteCses: registration.remoteCses.map(changed) } };
}

type Names = Pick<CseOptions, 'base' | 'cseId'>;

/** A shipped gateway that registers at this backend, and nowhere without one. */
export function registeredAt(backend: Names | undefined, gateway: NodeSettings): NodeSettings {
  if (backend === undefined) return withoutRegistration(gateway);
  return withRemotes(gateway, (remote) => {
    const { base = remote.base, cseId = remote.cseId } = backend;
    return { ...remote, base, cseId };
  });
}

export function withoutRegistration({ registration: _none, ...settings }: NodeSettings): NodeSettings {
  return settings;
}

/** With the files that `cselab certs make` has written for a CSE of that name. Throws an UpOptionsError where they are missing. */
export function certified(settings: NodeSettings, { certs }: UpOptions): NodeSettings {
  if (certs === undefined) return settings;
  const directory = new CertificateDirectory(certs);
  const { cert, key } = directory.certificate(`${settings.cse.cseId}-client-server`);
  const missing = [cert, key, directory.chain].find((path) => !existsSync(path));
  if (missing !== undefined) throw new UpOptionsError(`--certs: there is no file "${missing}"`);
  return { ...settings, tls: { key, crt: cert, ca: directory.chain } };
}

function originOf(text: string, flag: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UpOptionsError(`${flag} is an http or https URL, not "${text}"`);
  }
  return url.origin;
}

/** A second CSE is there only where something is said of it. */
export function wantsBackend({ dialect, as, backend, backendPort, gateway, gateways }: UpOptions): boolean {
  if (backend === false) return false;
  const isAlone = dialect === 'onem2m' || as !== undefined;
  return !isAlone || gateway === false || gateways > 1 || (backend ?? backendPort) !== undefined;
}

/** The shipped settings with the names of the standard's world. */
export function withStandardNames(shipped: NodeSettings, role: 'gateway' | 'backend'): NodeSettings {
  const { requireAuth: _documented, ...cse } = shipped.cse;
  return { ...shipped, cse: { ...cse, ...usualNames.onem2m[role] } };
}
