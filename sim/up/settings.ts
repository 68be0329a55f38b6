/** What `cselab up` starts: the configuration files, and what flags change of them. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shipped } from '../../certs/shipped.ts';
import type { Row } from '../deviations/language/schema.ts';
import type { Product } from '../products/product.ts';
import { type FileConfiguration, readConfigurationFile } from '../topology/config.ts';
import { type ConfigurationProblem, renderConfigurationProblem } from '../topology/config-problem.ts';
import type { NodeSettings } from '../topology/node.ts';
import { type PairCertificates, pairCertificates } from '../topology/pair-certificates.ts';
import { cseFlags, limitsOf } from './cse-flags.ts';
import { chosenDeviations } from './deviations.ts';
import type { UpOptions } from './options.ts';
import { UpOptionsError } from './options.ts';
import {
  certified,
  optionsForPlace,
  reachedBy,
  registering,
  remoteBackend,
  standardBackend,
  standardGateway,
  wantsBackend,
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
  const read = (file: string | false | undefined, name: string): NodeSettings | undefined => {
    if (file === false) return undefined;
    const { configuration, notes: found } = readConfigurationFile(file ?? shippedFile(name));
    notes.push(...found.filter((note) => isWorthSaying(note, options)).map(renderConfigurationProblem));
    return settingsOfFile(configuration);
  };
  const { first: alone, backend: second } = fromFiles(options, read, product);
  const local = withFlags(second, options, options.backendPort ?? zero(options.port));
  const backend = local && certified(alone === undefined ? reachedBy(local, options) : local, options);
  const first = placed(named(withFlags(alone, options, options.port), options), options);
  checkNames(first, backend);
  const each = first === undefined ? [] : Array.from({ length: options.gateways }, (_, at) => numbered(first, at));
  const gateways = each
    .map((one) => certified(one, options))
    .map((one, at) => broken(at === 0 ? withAdminPort(one, options) : one, options, { deviations, rules }));
  checkPorts(gateways, backend);
  const certificates = await freshCertificates(gateways, backend, options);
  notes.push(...ofKnownKeys([...gateways, backend], certificates));
  const { port, backendPort, https, interface: address, dialect } = options;
  const flags = [port, backendPort, https, address, dialect];
  const urlsChanged = flags.some((flag) => flag !== undefined) || options.gateways > 1;
  return {
    gateways: gateways.map((one, at) => presenting(one, certificates?.gateways[at])),
    backend: presenting(
      gateways.length > 0 ? backend : onItsOwn(backend, options, { deviations, rules }),
      certificates?.backend,
    ),
    urlsChanged,
    certificates,
    notes,
  };
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

/** What the files describe, in the onem2m dialect by the names that are usual there; the shipped file of the gateway names a backend. */
function fromFiles(
  options: UpOptions,
  read: (file: string | false | undefined, name: string) => NodeSettings | undefined,
  product: Product | undefined,
): { readonly first: NodeSettings | undefined; readonly backend: NodeSettings | undefined } {
  const { dialect, gateway, backend } = options;
  const second = read(wantsBackend(options) ? backend : false, 'backend');
  const standard = dialect === 'onem2m';
  const renamed = standard && second !== undefined && backend === undefined ? standardBackend(second) : second;
  const first = read(gateway, 'gateway');
  const remote = renamed ?? remoteBackend(options);
  if (first !== undefined && product !== undefined) {
    return { first: productGateway(first, product, remote), backend: renamed };
  }
  if (first === undefined || gateway !== undefined) return { first, backend: renamed };
  if (standard) return { first: standardGateway(first, remote), backend: renamed };
  return { first: remote === undefined ? withoutRegistration(first) : first, backend: renamed };
}

/** Where others find the gateway, and where it finds a backend that runs elsewhere. */
function placed(settings: NodeSettings | undefined, options: UpOptions): NodeSettings | undefined {
  if (settings === undefined) return undefined;
  const remote = remoteBackend(options);
  return reachedBy(remote === undefined ? settings : registering(settings, remote, options), options);
}

function checkNames(gateway: NodeSettings | undefined, backend: NodeSettings | undefined): void {
  if (gateway === undefined || backend === undefined || gateway.cse.cseId !== backend.cse.cseId) return;
  throw new UpOptionsError(`gateway and backend would both be ${backend.cse.cseId}; choose another --cse-id`);
}

/** Gateways count on from the first one's port, and may come to the backend's. */
function checkPorts(gateways: readonly NodeSettings[], backend: NodeSettings | undefined): void {
  const port = backend?.http?.port ?? 0;
  const same = gateways.find(({ http }) => port !== 0 && http?.port === port);
  if (same === undefined) return;
  throw new UpOptionsError(`${same.cse.cseId} and the backend would both listen at port ${port}; choose another one`);
}

function withAdminPort<T extends NodeSettings | undefined>(
  settings: T,
  { adminPort: port, adminToken: token }: UpOptions,
): T {
  if (settings === undefined || port === undefined) return settings;
  return { ...settings, admin: { port, ...(token !== undefined && { token }) } };
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
    ...(rules.length > 0 && { breakage: { rules, ...(seed !== undefined && { seed }) } }),
  };
}

/** A backend without gateways is the first CSE. */
function onItsOwn(backend: NodeSettings | undefined, options: UpOptions, wrong: Wrong): NodeSettings | undefined {
  return backend && withAdminPort(broken(backend, options, wrong), options);
}

const zero = (port: number | undefined) => (port === 0 ? 0 : undefined);

function isWorthSaying({ severity }: ConfigurationProblem, { verbose }: UpOptions): boolean {
  return severity === 'note' || verbose === true;
}

function settingsOfFile({
  cse,
  http,
  tls,
  acceptInsecureCerts,
  overwriteOriginator,
  overwriteForwarded,
  registration,
}: FileConfiguration): NodeSettings {
  const { base, cseId, spId, cseType, defaultLifetime, requireAuth, disableForwarding } = cse;
  const limits = defaultLifetime === undefined ? {} : { limits: { lifetime: defaultLifetime } };
  const ownPoa = registration?.remoteCses.flatMap((remote) => remote.ownPoa) ?? [];
  return {
    cse: {
      ...{ base, cseId, spId, cseType, requireAuth, ...limits },
      ...(ownPoa.length > 0 && { pointOfAccess: [...new Set(ownPoa)] }),
    },
    acceptInsecureCerts,
    ...(http && { http }),
    ...(tls && { tls }),
    ...(overwriteOriginator !== undefined && { overwriteOriginator }),
    ...(overwriteForwarded && { overwriteForwarded }),
    ...(disableForwarding && { disableForwarding }),
    ...(registration && { registration }),
  };
}

/** The shipped file of the gateway names a backend that nobody starts then. */
function withoutRegistration(settings: NodeSettings): NodeSettings {
  const { registration: _registration, ...others } = settings;
  return others;
}

function withFlags(
  settings: NodeSettings | undefined,
  options: UpOptions,
  port: number | undefined,
): NodeSettings | undefined {
  if (settings === undefined) return undefined;
  const { https, requireCert, interface: address } = options;
  const urlChanged = port !== undefined || address !== undefined || https === true || options.dialect === 'onem2m';
  const { pointOfAccess: _configured, ...others } = settings.cse;
  const kept = urlChanged && settings.http !== undefined ? others : settings.cse;
  const cse = { ...kept, ...cseFlags(options, kept) };
  if (settings.http === undefined) return { ...settings, cse };
  const http = {
    ...settings.http,
    ...(port !== undefined && { port }),
    ...(address !== undefined && { interface: address }),
    ...(https && { enableHttps: true }),
    ...(requireCert && { requireCert: true }),
    ...(options.limit && { limits: limitsOf(options).http }),
  };
  if (requireCert && !http.enableHttps) throw new UpOptionsError('--require-cert goes with --https');
  if (http.enableHttps && settings.tls === undefined && options.certs === undefined) {
    throw new UpOptionsError('--https needs ssl_certs in the configuration file');
  }
  return { ...settings, http, cse };
}

function named(settings: NodeSettings | undefined, { base, cseId }: UpOptions): NodeSettings | undefined {
  if (settings === undefined) return undefined;
  return { ...settings, cse: { ...settings.cse, ...(base && { base }), ...(cseId && { cseId }) } };
}

/** Further gateways count on: identifier and port. */
function numbered(settings: NodeSettings, at: number): NodeSettings {
  if (at === 0) return settings;
  const { pointOfAccess: _ofTheFirst, ...cse } = settings.cse;
  const cseId = `${(cse.cseId ?? '').replace(/-?\d+$/, '')}-${at + 1}`;
  const { http } = settings;
  return {
    ...settings,
    cse: { ...cse, cseId },
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
  );
}

/** With the certificate that was made for it, where one was. */
function presenting<T extends NodeSettings | undefined>(settings: T, tls: NodeSettings['tls']): T {
  return settings === undefined || tls === undefined ? settings : { ...settings, tls };
}
