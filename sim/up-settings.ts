/** What `cselab up` starts: the configuration files, and what flags change of them. */
import { fileURLToPath } from 'node:url';
import { type FileConfiguration, readConfigurationFile } from './topology/config.ts';
import { type ConfigurationProblem, renderConfigurationProblem } from './topology/config-problem.ts';
import type { NodeSettings } from './topology/node.ts';
import { type PairCertificates, pairCertificates } from './topology/pair-certificates.ts';
import type { UpOptions } from './up-command.ts';

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

/** Flags that contradict each other, or the files. */
export class UpOptionsError extends Error {
  override readonly name = 'UpOptionsError';
}

const shippedFile = (name: string) => fileURLToPath(new URL(`../fixtures/config-${name}.json`, import.meta.url));

/** Rejects with an UpOptionsError or a ConfigurationError. */
export async function readUpSettings(options: UpOptions): Promise<UpSettings> {
  if (options.gateway === false && options.backend === false) throw new UpOptionsError('nothing is left to start');
  if (options.gateways < 1) throw new UpOptionsError('--gateways must be 1 or more');
  const notes: string[] = [];
  const read = (file: string | false | undefined, name: string): NodeSettings | undefined => {
    if (file === false) return undefined;
    const { configuration, notes: found } = readConfigurationFile(file ?? shippedFile(name));
    notes.push(...found.filter((note) => isWorthSaying(note, options)).map(renderConfigurationProblem));
    return settingsOfFile(configuration);
  };
  const gateway = read(options.gateway, 'gateway');
  const backend = withFlags(read(options.backend, 'backend'), options, options.backendPort ?? zero(options.port));
  const alone = backend === undefined && options.gateway === undefined ? withoutRegistration(gateway) : gateway;
  const first = named(withFlags(alone, options, options.port), options);
  const gateways = first === undefined ? [] : Array.from({ length: options.gateways }, (_, at) => numbered(first, at));
  const certificates = await freshCertificates(gateways, backend, options);
  const { port, backendPort, https, interface: address } = options;
  const urlsChanged = [port, backendPort, https, address].some((flag) => flag !== undefined) || options.gateways > 1;
  return {
    gateways: withCertificates(gateways, certificates),
    backend: withBackendCertificate(backend, certificates),
    urlsChanged,
    certificates,
    notes,
  };
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
  registration,
}: FileConfiguration): NodeSettings {
  const { base, cseId, spId, cseType, defaultLifetime } = cse;
  const limits = defaultLifetime === undefined ? {} : { limits: { lifetime: defaultLifetime } };
  const ownPoa = registration?.remoteCses.flatMap((remote) => remote.ownPoa) ?? [];
  return {
    cse: { base, cseId, spId, cseType, ...limits, ...(ownPoa.length > 0 && { pointOfAccess: [...new Set(ownPoa)] }) },
    acceptInsecureCerts,
    ...(http && { http }),
    ...(tls && { tls }),
    ...(overwriteOriginator !== undefined && { overwriteOriginator }),
    ...(registration && { registration }),
  };
}

/** The shipped file of the gateway names a backend that nobody starts then. */
function withoutRegistration(settings: NodeSettings | undefined): NodeSettings | undefined {
  if (settings === undefined) return undefined;
  const { registration: _registration, ...others } = settings;
  return others;
}

function withFlags(
  settings: NodeSettings | undefined,
  options: UpOptions,
  port: number | undefined,
): NodeSettings | undefined {
  if (settings?.http === undefined) return settings;
  const { https, requireCert, interface: address, spId, lifetime } = options;
  const http = {
    ...settings.http,
    ...(port !== undefined && { port }),
    ...(address !== undefined && { interface: address }),
    ...(https && { enableHttps: true }),
    ...(requireCert && { requireCert: true }),
  };
  if (requireCert && !http.enableHttps) throw new UpOptionsError('--require-cert goes with --https');
  if (http.enableHttps && settings.tls === undefined) {
    throw new UpOptionsError('--https needs ssl_certs in the configuration file');
  }
  const { pointOfAccess: _configured, ...cse } = settings.cse;
  const limits = lifetime === undefined ? {} : { limits: { ...cse.limits, lifetime } };
  const urlChanged = port !== undefined || address !== undefined || https;
  return { ...settings, http, cse: { ...(urlChanged ? cse : settings.cse), ...limits, ...(spId && { spId }) } };
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
  { cseId, spId }: UpOptions,
): Promise<PairCertificates | undefined> {
  const isSecure = [...gateways, backend].some((one) => one?.http?.enableHttps === true);
  const asInFiles = gateways.length <= 1 && cseId === undefined && spId === undefined;
  return !isSecure || asInFiles
    ? undefined
    : pairCertificates(
        gateways.map(({ cse }) => cse),
        backend?.cse ?? gateways[0]?.cse ?? {},
      );
}

function withCertificates(
  gateways: readonly NodeSettings[],
  certificates: PairCertificates | undefined,
): readonly NodeSettings[] {
  return gateways.map((one, at) => {
    const tls = certificates?.gateways[at];
    return tls === undefined ? one : { ...one, tls };
  });
}

function withBackendCertificate(
  backend: NodeSettings | undefined,
  certificates: PairCertificates | undefined,
): NodeSettings | undefined {
  return backend === undefined || certificates === undefined ? backend : { ...backend, tls: certificates.backend };
}
