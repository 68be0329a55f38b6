/** The documented configuration files, one for each CSE: a `plugins` section and an `onem2m` section. */
import { isUtf8 } from 'node:buffer';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CseOptions } from '../cse/create-cse.ts';
import type { NodeSettings } from '../topology/node-settings.ts';
import type { RemoteCse } from '../topology/registration-requests.ts';
import { checkParts, type FileCheck } from './checks.ts';
import { type Located, valuesOf } from './form.ts';
import { parseJson } from './json-places.ts';
import { loopback, readPlugins } from './plugins.ts';
import { ConfigurationError, type ConfigurationProblem, Findings } from './problem.ts';
import { type Global, type Http, type Onem2m, type RegistrationSection, rootForm } from './sections.ts';

export interface ConfigurationReading {
  /** What the file says; `http` and `registration` are absent where their plugin is missing or disabled. */
  readonly settings: NodeSettings;
  /** Settings without effect, or worth a second look; sorted by position. */
  readonly notes: readonly ConfigurationProblem[];
}

/** Throws a ConfigurationError with everything that is wrong. */
export function readConfigurationFile(file: string): ConfigurationReading {
  const bytes = readBytes(file);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (isUtf8(bytes)) return parseConfiguration(text, file);
  const findings = new Findings(file, text);
  const offset = Math.max(0, text.indexOf('\u{fffd}'));
  findings.error({ offset, length: 1 }, 'this is not UTF-8');
  throw new ConfigurationError(findings.errors);
}

/**
 * The same for a text: from top to bottom, then each part against the others. Paths in it are relative to the folder of `file`; `check`
 * says which certificates can be read.
 */
export function parseConfiguration(text: string, file: string, check: FileCheck = lookOnDisk): ConfigurationReading {
  const findings = new Findings(file, text);
  const document = parseJson(text, findings);
  const root = (document && rootForm(document, findings)) ?? {};
  const plugins = readPlugins(root.plugins?.value, findings);
  const { http, registration } = plugins;
  const disk = { folder: dirname(resolve(file)), check };
  const tls = checkParts(root.onem2m, plugins, disk, findings);
  if (findings.errors.length > 0) throw new ConfigurationError(findings.errors);
  const own = root.onem2m?.value ?? {};
  const { disable_forwarding, ...global } = root.global?.value ?? {};
  const settings = {
    cse: cseOf(own, global, registration),
    acceptInsecureCerts: own.accept_insecure_certs?.value ?? false,
    ...(disable_forwarding?.value && { disableForwarding: true }),
    ...overwritingOf(own),
    ...(tls && { tls }),
    ...(http && { http: httpOf(http) }),
    ...(registration && { registration: registrationOf(registration) }),
  };
  return { settings, notes: findings.notes };
}

export const lookOnDisk: FileCheck = (path) => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory() ? reasons.EISDIR : undefined;
  } catch (error) {
    return reasonOf(error);
  }
};

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const start = { file, line: 1, column: 1, length: 1, sourceLine: '', severity: 'error' } as const;
    throw new ConfigurationError([{ ...start, message: `the file ${reasonOf(error)}` }]);
  }
}

const reasons = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
} as const;

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code as keyof typeof reasons] ?? `cannot be read: ${message}`;
}

// The content of a file in the terms of this project.

/** The value of a key, after all errors were reported. */
function known<T>(value: Located<T | undefined> | undefined): T {
  if (value?.value === undefined) throw new TypeError('a value that is missing or wrong was not reported');
  return value.value;
}

function cseOf(
  own: Onem2m,
  { default_lifetime, require_auth }: Global,
  registration: RegistrationSection | undefined,
): CseOptions {
  const pointOfAccess = valuesOf(registration?.remote_cses).flatMap(({ own_poa }) => valuesOf(own_poa));
  return {
    ...{ base: known(own.cse_base), cseId: known(own.cse_id), spId: known(own.sp_id), cseType: known(own.cse_type) },
    requireAuth: require_auth?.value ?? false,
    ...(default_lifetime && { limits: { lifetime: known(default_lifetime) } }),
    ...(pointOfAccess.length > 0 && { pointOfAccess: [...new Set(pointOfAccess)] }),
  };
}

/** Documented: "true turns HTTPS on", so that a missing one leaves it off. */
const httpOf = (http: Http) => ({
  interface: http.interface?.value ?? loopback,
  port: known(http.port),
  enableHttps: http.enable_https?.value ?? false,
  requireCert: http.require_cert?.value ?? false,
  rejectAtHandshake: http.reject_at_handshake?.value ?? false,
});

const registrationOf = ({ interval, offset, labels, remote_cses }: RegistrationSection) => ({
  ...{ interval: known(interval), offset: known(offset), labels: valuesOf(labels) },
  remoteCses: valuesOf(remote_cses).map(
    (remote): RemoteCse => ({
      ...{ base: known(remote.cse_base), cseId: known(remote.cse_id), cseType: known(remote.cse_type) },
      ...{ ownPoa: valuesOf(remote.own_poa), poa: valuesOf(remote.poa) },
    }),
  ),
});

function overwritingOf({ overwrite_originator }: Onem2m) {
  const { enabled, originator, forwarded } = overwrite_originator?.value ?? {};
  if (!enabled?.value) return {};
  return { overwriteOriginator: known(originator), ...(forwarded?.value && { overwriteForwarded: true }) };
}
