/** What `cselab up` starts: the configuration files, and what flags change of them. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shipped } from '../../certs/shipped.ts';
import { defined } from '../defined.ts';
import type { Row } from '../deviations/language/schema.ts';
import type { Product } from '../products/product.ts';
import { readConfigurationFile } from '../topology/config.ts';
import { renderConfigurationProblem } from '../topology/config-problem.ts';
import type { NodeSettings } from '../topology/node.ts';
import { type PairCertificates, pairCertificates } from '../topology/pair-certificates.ts';
import { numberedId } from '../usual-names.ts';
import { cseFlags, limitsOf } from './cse-flags.ts';
import { chosenDeviations } from './deviations.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options.ts';
import {
  certified,
  optionsForPlace,
  reachedBy,
  registeredAt,
  registering,
  remoteBackend,
  wantsBackend,
  withoutRegistration,
  withStandardNames,
} from './place.ts';
import { optionsForProduct, productGateway } from './product.ts';

export interface UpSettings {
  readonly gateways: readonly NodeSettings[];
  readonly backend: NodeSettings | undefined;
  /** True where flags change URLs: the gateways then find the backend where it really is. */
  readonly urlsChanged: boolean;
  /** Where the names in the files are not those of the certificates that they name. */
  readonly certificates: PairCertificates | undefined;
  /** Rendered notes on the files. */
  readonly notes: readonly string[];
}

/** What flags say beside those of the deviations. */
export interface WrongOnPurpose {
  readonly product: Product | undefined;
  /** For connections, each as a text. */
  readonly rules: readonly string[];
}

const shippedFile = (name: string) => fileURLToPath(new URL(`../../fixtures/config-${name}.json`, import.meta.url));

/** Rejects with an UpOptionsError or a ConfigurationError. */
export async function readUpSettings(
  given: UpOptions,
  { product, rules }: WrongOnPurpose = { product: undefined, rules: [] },
): Promise<UpSettings> {
  const options = optionsForPlace(optionsForProduct(given, product));
  const deviations = await chosenDeviations(options);
  if (options.gateway === false && options.backend === false) throw new UpOptionsError('nothing is left to start');
  if (options.gateways < 1) throw new UpOptionsError('--gateways must be 1 or more');
  const notes: string[] = [];
  const read: Read = (file, name) => {
    const { settings, notes: found } = readConfigurationFile(file || shippedFile(name));
    const told = found.filter(({ severity }) => severity === 'note' || options.verbose);
    notes.push(...told.map(renderConfigurationProblem));
    return settings;
  };
  const second = wantsBackend(options) ? usualBackend(read, options) : undefined;
  const first = options.gateway === false ? undefined : usualGateway(read, options, product, second);
  const wrong = { deviations, rules };
  const gateways = first === undefined ? [] : gatewaysFrom(first, options, wrong);
  const backend = second && backendFrom(second, options, first === undefined ? wrong : undefined);
  checkTogether(gateways, backend);
  const certificates = await freshCertificates(gateways, backend, options);
  notes.push(...ofKnownKeys([...gateways, backend], certificates));
  const { port, backendPort, https, interface: address, dialect } = options;
  const flags = [port, backendPort, https, address, dialect];
  return {
    // Each with the certificate that was made for it, where one was.
    gateways: gateways.map((one, at) => ({ ...one, ...defined({ tls: certificates?.gateways[at] }) })),
    backend: backend && { ...backend, ...defined({ tls: certificates?.backend }) },
    urlsChanged: flags.some((flag) => flag !== undefined) || options.gateways > 1,
    certificates,
    notes,
  };
}

/** Reads a file, the shipped one of that name unless another is given. */
type Read = (file: string | false | undefined, name: 'gateway' | 'backend') => NodeSettings;

function usualBackend(read: Read, { backend: file, dialect }: UpOptions): NodeSettings {
  const backend = read(file, 'backend');
  return dialect === 'onem2m' && file === undefined ? withStandardNames(backend, 'backend') : backend;
}

/** The shipped file of the gateway names a backend, which may be called otherwise, or be started by nobody. */
function usualGateway(
  read: Read,
  options: UpOptions,
  product: Product | undefined,
  backend: NodeSettings | undefined,
): NodeSettings {
  const gateway = read(options.gateway, 'gateway');
  const remote = backend?.cse ?? remoteBackend(options);
  if (options.gateway !== undefined) return gateway;
  if (product !== undefined) return registeredAt(remote, productGateway(gateway, product));
  if (options.dialect === 'onem2m') {
    // Alone it is the CSE to which everything belongs.
    return registeredAt(remote, withStandardNames(gateway, remote === undefined ? 'backend' : 'gateway'));
  }
  return remote === undefined ? withoutRegistration(gateway) : gateway;
}

function gatewaysFrom(first: NodeSettings, options: UpOptions, wrong: Wrong): NodeSettings[] {
  const { base, cseId } = options;
  const flagged = withFlags(first, options, options.port);
  const named = { ...flagged, cse: { ...flagged.cse, ...(base && { base }), ...(cseId && { cseId }) } };
  const placed = reachedBy(registering(named, options), options);
  return Array.from({ length: options.gateways }, (_, at) => {
    const gateway = certified(numbered(placed, at), options);
    return broken(at === 0 ? withAdminPort(gateway, options) : gateway, options, wrong);
  });
}

/** A backend without gateways is the first CSE: what goes wrong on purpose goes wrong there. */
function backendFrom(second: NodeSettings, options: UpOptions, wrong: Wrong | undefined): NodeSettings {
  const backend = withFlags(second, options, options.backendPort ?? (options.port === 0 ? 0 : undefined));
  if (wrong === undefined) return certified(backend, options);
  return withAdminPort(broken(certified(reachedBy(backend, options), options), options, wrong), options);
}

/** The shipped keys are in every copy of the package. */
function ofKnownKeys(all: readonly (NodeSettings | undefined)[], fresh: PairCertificates | undefined): string[] {
  const folder = dirname(shipped.chain);
  const known = all.some(
    (one) => one?.http?.enableHttps && one.tls?.key !== undefined && dirname(one.tls.key) === folder,
  );
  if (!known || fresh !== undefined) return [];
  return [
    'everybody has the private keys of certs/; make your own for anything but tests: cselab certs make, and --certs',
  ];
}

/** Gateways count on from the first one's port, and may come to the backend's. */
function checkTogether(gateways: readonly NodeSettings[], backend: NodeSettings | undefined): void {
  if (backend === undefined) return;
  const { cseId } = backend.cse;
  if (gateways[0]?.cse.cseId === cseId) {
    throw new UpOptionsError(`gateway and backend would both be ${cseId}; choose another --cse-id`);
  }
  const port = backend.http?.port ?? 0;
  const same = gateways.find(({ http }) => port !== 0 && http?.port === port);
  if (same === undefined) return;
  throw new UpOptionsError(`${same.cse.cseId} and the backend would both listen at port ${port}; choose another one`);
}

function withAdminPort(settings: NodeSettings, { adminPort, adminToken }: UpOptions): NodeSettings {
  return { ...settings, ...defined({ adminPort, adminToken }) };
}

/** What goes wrong on purpose at one CSE. */
interface Wrong {
  readonly deviations: readonly (string | Row)[];
  readonly rules: readonly string[];
}

function broken(settings: NodeSettings, { seed }: UpOptions, { deviations, rules }: Wrong): NodeSettings {
  return {
    ...settings,
    ...(deviations.length > 0 && {
      cse: { ...settings.cse, deviations: [...(settings.cse.deviations ?? []), ...deviations] },
    }),
    ...(rules.length > 0 && { breakage: rules }),
    ...defined({ breakageSeed: seed }),
  };
}

function withFlags(settings: NodeSettings, options: UpOptions, port: number | undefined): NodeSettings {
  const { https, requireCert, interface: address } = options;
  const urlChanged = port !== undefined || address !== undefined || https === true || options.dialect === 'onem2m';
  const { pointOfAccess: _configured, ...others } = settings.cse;
  const kept = urlChanged && settings.http !== undefined ? others : settings.cse;
  const cse = { ...kept, ...cseFlags(options, kept) };
  if (settings.http === undefined) return { ...settings, cse };
  const http = {
    ...settings.http,
    ...defined({ port, interface: address, enableHttps: https, requireCert }),
    ...(options.limit && { limits: limitsOf(options).http }),
  };
  if (requireCert && !http.enableHttps) throw new UpOptionsError('--require-cert goes with --https');
  if (http.enableHttps && settings.tls === undefined && options.certs === undefined) {
    throw new UpOptionsError('--https needs ssl_certs in the configuration file');
  }
  return { ...settings, http, cse };
}

/** Further gateways count on: identifier and port. */
function numbered(settings: NodeSettings, at: number): NodeSettings {
  if (at === 0) return settings;
  const { pointOfAccess: _ofTheFirst, ...cse } = settings.cse;
  const { http } = settings;
  return {
    ...settings,
    cse: { ...cse, cseId: numberedId(cse.cseId ?? '', at) },
    ...(http && { http: { ...http, port: http.port ? http.port + at : 0 } }),
  };
}

async function freshCertificates(
  gateways: readonly NodeSettings[],
  backend: NodeSettings | undefined,
  { cseId, spId, dialect, as, certs, registerAt }: UpOptions,
): Promise<PairCertificates | undefined> {
  if (certs !== undefined) return undefined;
  const isSecure = [...gateways, backend].some((one) => one?.http?.enableHttps === true);
  const asInFiles = gateways.length <= 1 && cseId === undefined && spId === undefined && dialect !== 'onem2m' && !as;
  if (!isSecure || asInFiles) return undefined;
  if (registerAt !== undefined) {
    throw new UpOptionsError(
      '--register-at with names of your own needs certificates that the backend trusts: --certs',
    );
  }
  return pairCertificates(
    gateways.map(({ cse }) => cse),
    backend?.cse ?? gateways[0]?.cse ?? {},
    { issuing: true },
  );
}
