/** The settings of `cselab up`: configuration files, changed by flags. */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shipped } from '../../certs/shipped.ts';
import { renderConfigurationProblem } from '../configuration-file/problem.ts';
import { readConfigurationFile } from '../configuration-file/read.ts';
import type { CseOptions } from '../cse/create-cse.ts';
import type { DeviationRow } from '../deviations/language/schema.ts';
import { numberedId } from '../environment/default-names.ts';
import { defined } from '../environment/defined.ts';
import { imitating, type Product, standInName } from '../products/product.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import { type PairCertificates, pairCertificates } from '../topology/pair-certificates.ts';
import type { RemoteCse } from '../topology/registration-requests.ts';
import { cseFlags, limitsOf, optionsForProduct } from './cse-flags.ts';
import { chosenDeviations } from './deviations.ts';
import { type UpOptions, UpOptionsError } from './options.ts';
import {
  certificatesOf,
  optionsForRemote,
  ownPoaOf,
  registrationAt,
  remoteBackend,
  wantsBackend,
  withRemotes,
  withStandardNames,
} from './remote.ts';

export interface UpSettings {
  readonly gateways: readonly NodeSettings[];
  readonly backend: NodeSettings | undefined;
  /** True where flags change URLs: the gateways then find the backend where it really is. */
  readonly urlsChanged: boolean;
  /** Fresh ones, where the names in the files do not fit the shipped certificates. */
  readonly certificates: PairCertificates | undefined;
  /** Rendered notes on the files. */
  readonly notes: readonly string[];
}

/** Product and disturbances, beside the deviations by flags. */
export interface DeviationSettings {
  readonly product: Product | undefined;
  /** For connections, each as a text. */
  readonly rules: readonly string[];
}

const shippedFile = (name: string) => fileURLToPath(new URL(`../../fixtures/config-${name}.json`, import.meta.url));

/** Rejects with an UpOptionsError or a ConfigurationError. */
export async function readUpSettings(
  input: UpOptions,
  { product, rules }: DeviationSettings = { product: undefined, rules: [] },
): Promise<UpSettings> {
  const options = optionsForRemote(optionsForProduct(input, product));
  const deviations = await chosenDeviations(options);
  if (options.gateway === false && options.backend === false) throw new UpOptionsError('nothing is left to start');
  if (options.gateways < 1) throw new UpOptionsError('--gateways must be 1 or more');
  const notes: string[] = [];
  const read: Read = (file, name) => {
    const { settings, notes: found } = readConfigurationFile(file || shippedFile(name));
    const visible = found.filter(({ severity }) => severity === 'note' || options.verbose);
    notes.push(...visible.map(renderConfigurationProblem));
    return settings;
  };
  const second = wantsBackend(options) ? backendFile(read, options) : undefined;
  const first = options.gateway === false ? undefined : gatewayFile(read, options, product, second);
  const wrong = { deviations, rules };
  const { port, backendPort = port === 0 ? 0 : undefined, base, cseId } = options;
  const names = defined({ base: base || undefined, cseId: cseId || undefined });
  const remote = remoteBackend(options);
  const gateways = Array.from({ length: first ? options.gateways : 0 }, (_, at) =>
    nodeFrom(first as NodeSettings, options, { port, at, names, remote, wrong }),
  );
  const backend = second && nodeFrom(second, options, { port: backendPort, wrong: first ? undefined : wrong });
  checkTogether(gateways, backend);
  const certificates = await freshCertificates(gateways, backend, options);
  notes.push(...knownKeyNotes([...gateways, backend], certificates));
  const { https, interface: address, dialect } = options;
  const flags = [port, options.backendPort, https, address, dialect];
  return {
    // Each with its fresh certificate, if any.
    gateways: gateways.map((one, at) => ({ ...one, ...defined({ tls: certificates?.gateways[at] }) })),
    backend: backend && { ...backend, ...defined({ tls: certificates?.backend }) },
    urlsChanged: flags.some((flag) => flag !== undefined) || options.gateways > 1,
    certificates,
    notes,
  };
}

/** Reads a file, the shipped one of that name unless another is given. */
type Read = (file: string | false | undefined, name: 'gateway' | 'backend') => NodeSettings;

function backendFile(read: Read, { backend: file, dialect }: UpOptions): NodeSettings {
  const backend = read(file, 'backend');
  return dialect === 'onem2m' && file === undefined ? withStandardNames(backend, 'backend') : backend;
}

/** The shipped file of the gateway names a backend, which may have another name, or not be started. */
function gatewayFile(
  read: Read,
  options: UpOptions,
  product: Product | undefined,
  backend: NodeSettings | undefined,
): NodeSettings {
  const file = read(options.gateway, 'gateway');
  const remote = backend?.cse ?? remoteBackend(options);
  if (options.gateway !== undefined) return file;
  const isStandard = options.dialect === 'onem2m';
  // In the onem2m dialect a single CSE is the infrastructure node.
  const role = remote === undefined ? 'backend' : 'gateway';
  const named = product ? asProduct(file, product) : isStandard ? withStandardNames(file, role) : file;
  const { registration: _shipped, ...alone } = named;
  if (remote === undefined) return alone;
  return product || isStandard
    ? withRemotes(named, (one) => ({ ...one, ...defined({ base: remote.base, cseId: remote.cseId }) }))
    : named;
}

/** With the names and the deviations of the product. */
function asProduct(file: NodeSettings, product: Product): NodeSettings {
  const { pointOfAccess: _ofTheProduct, ...cse } = imitating(product);
  return { ...file, cse, imitates: standInName(product.name) };
}

/** Deviations and disturbances of one CSE. */
interface NodeDeviations {
  readonly deviations: readonly (string | DeviationRow)[];
  readonly rules: readonly string[];
}

interface Changes {
  readonly port: number | undefined;
  /** Index of the gateway, which is added to identifier and port. */
  readonly at?: number;
  /** For a gateway only. */
  readonly names?: CseOptions;
  readonly remote?: RemoteCse | undefined;
  /** Undefined for a backend beside gateways; one without them is the first CSE. */
  readonly wrong: NodeDeviations | undefined;
}

/** One CSE: its file, changed by flags. */
function nodeFrom(file: NodeSettings, options: UpOptions, changes: Changes): NodeSettings {
  const { port, at = 0, names, remote, wrong } = changes;
  const { adminPort, adminToken, seed, certs } = options;
  const { deviations = [], rules = [] } = wrong ?? {};
  const { pointOfAccess, ...configured } = file.cse;
  const named = { ...configured, ...cseFlags(options, configured), ...names };
  const cseId = numberedId(named.cseId ?? '', at);
  const http = listening(file, options, port, at);
  const own = wrong && ownPoaOf(options);
  const poa = own ?? (at > 0 || (http && changesUrls(options, port)) ? undefined : pointOfAccess);
  const registered = remote === undefined ? file : { ...file, registration: registrationAt(remote, file) };
  const all = deviations.length > 0 ? [...(named.deviations ?? []), ...deviations] : undefined;
  return {
    ...(own ? withRemotes(registered, (one) => ({ ...one, ownPoa: own })) : registered),
    cse: { ...named, cseId, ...defined({ pointOfAccess: poa, deviations: all }) },
    ...defined({
      http,
      ws: wsOf(options, http, changes),
      coap: coapOf(options, changes),
      tls: certs === undefined ? undefined : certificatesOf(cseId, certs),
    }),
    ...(wrong && at === 0 && defined({ adminPort, adminToken })),
    ...(wrong && defined({ disturbances: rules.length > 0 ? rules : undefined, disturbanceSeed: seed })),
  };
}

/** Whether URLs in files are not valid any more. */
const changesUrls = ({ https, interface: address, dialect }: UpOptions, port: number | undefined) =>
  port !== undefined || address !== undefined || https === true || dialect === 'onem2m';

function listening({ http, tls }: NodeSettings, options: UpOptions, port: number | undefined, at: number) {
  if (http === undefined) return undefined;
  const { https, requireCert, interface: address, limit, certs } = options;
  const flagged = {
    ...http,
    ...defined({ port, interface: address, enableHttps: https, requireCert }),
    ...(limit && { limits: limitsOf(options).http }),
  };
  if (requireCert && !flagged.enableHttps) throw new UpOptionsError('--require-cert goes with --https');
  if (flagged.enableHttps && tls === undefined && certs === undefined) {
    throw new UpOptionsError('--https needs ssl_certs in the configuration file');
  }
  return at === 0 ? flagged : { ...flagged, port: flagged.port ? flagged.port + at : 0 };
}

/** The port of a backend comes after those of its gateways. */
function wsOf({ ws, gateways }: UpOptions, http: NodeSettings['http'], { at = 0, wrong }: Changes): NodeSettings['ws'] {
  if (ws === undefined) return undefined;
  if (ws === true) return { port: http?.port ? http.port + aboveHttp : 0 };
  return { port: ws === 0 ? 0 : ws + (wrong ? at : gateways) };
}

function coapOf({ coap, port, gateways }: UpOptions, { at = 0, wrong }: Changes): NodeSettings['coap'] {
  if (coap === undefined) return undefined;
  const first = coap !== true ? coap : port === 0 ? 0 : usualCoapPort;
  return { port: first === 0 ? 0 : first + (wrong ? at : gateways) };
}

const aboveHttp = 100;
/** RFC 7252, clause 12.7. */
const usualCoapPort = 5683;

/** The ports of gateways count up from the first, and may reach the backend's. */
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

/** Everybody has the shipped keys: they are in the package. */
function knownKeyNotes(all: readonly (NodeSettings | undefined)[], fresh: PairCertificates | undefined): string[] {
  const folder = dirname(shipped.chain);
  const known = all.some(
    (one) => one?.http?.enableHttps && one.tls?.key !== undefined && dirname(one.tls.key) === folder,
  );
  if (!known || fresh !== undefined) return [];
  return [
    'everybody has the private keys of certs/; make your own for anything but tests: cselab certs make, and --certs',
  ];
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
