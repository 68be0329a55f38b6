/** A configuration file from top to bottom, then each part against the others, and what it says in the terms of this project. */
import { dirname, resolve } from 'node:path';
import type { CseOptions } from '../create-cse.ts';
import { checkParts, type Look } from './config-checks.ts';
import { type Placed, quoted, valuesOf } from './config-form.ts';
import { NotJson, parseJson } from './config-json.ts';
import { loopback, readPlugins } from './config-plugins.ts';
import type { Findings } from './config-problem.ts';
import { type Http, type Onem2m, type Registration, rootForm } from './config-sections.ts';
import type { NodeSettings } from './node.ts';
import type { RemoteCse } from './registration-requests.ts';

/** What a configuration file says; `http` and `registration` are absent where their plugin is missing or disabled. */
export interface DocumentReading
  extends Pick<NodeSettings, 'tls' | 'overwriteOriginator' | 'overwriteForwarded' | 'registration'> {
  readonly cse: Required<Pick<CseOptions, 'base' | 'cseId' | 'spId' | 'cseType' | 'requireAuth'>> &
    Pick<NodeSettings, 'disableForwarding'> & {
      /** Seconds. */
      readonly defaultLifetime?: number;
    };
  readonly http?: Required<Omit<NonNullable<NodeSettings['http']>, 'limits'>>;
  readonly acceptInsecureCerts: boolean;
}

/** Paths in it are relative to the folder of `file`; `look` tells which certificates are there. Undefined when an error was found. */
export function readDocument(
  text: string,
  { file, look }: { readonly file: string; readonly look: Look },
  findings: Findings,
): DocumentReading | undefined {
  const root = readRoot(text, findings);
  if (root === undefined) return undefined;
  const { http, registration } = readPlugins(root.plugins?.value, findings);
  const own = root.onem2m?.value ?? {};
  const tls = checkParts(
    { onem2m: root.onem2m, http, registration },
    { folder: dirname(resolve(file)), look },
    findings,
  );
  if (findings.errors.length > 0) return undefined;
  const { default_lifetime: lifetime, require_auth: auth, disable_forwarding: closed } = root.global?.value ?? {};
  return {
    cse: {
      ...{ base: known(own.cse_base), cseId: known(own.cse_id), spId: known(own.sp_id), cseType: known(own.cse_type) },
      requireAuth: auth?.value ?? false,
      ...(closed?.value && { disableForwarding: true }),
      ...(lifetime && { defaultLifetime: known(lifetime) }),
    },
    acceptInsecureCerts: own.accept_insecure_certs?.value ?? false,
    ...overwritingOf(own),
    ...(tls && { tls }),
    ...(http && { http: httpOf(http) }),
    ...(registration && { registration: registrationOf(registration) }),
  };
}

function readRoot(text: string, findings: Findings): ReturnType<typeof rootForm> {
  try {
    const { root, repeated } = parseJson(text);
    for (const key of repeated) findings.error(key, `the key ${quoted(key.value)} stands twice in the same object`);
    return rootForm(root, findings);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    findings.error(error.range, error.message);
    return undefined;
  }
}

/** What stands there once no error was found. */
function known<T>(value: Placed<T | undefined> | undefined): T {
  if (value?.value === undefined) throw new TypeError('a value that is missing or wrong was not reported');
  return value.value;
}

/** Documented: "true turns HTTPS on", so that a missing one leaves it off. */
const httpOf = (http: Http) => ({
  interface: http.interface?.value ?? loopback,
  port: known(http.port),
  enableHttps: http.enable_https?.value ?? false,
  requireCert: http.require_cert?.value ?? false,
  rejectAtHandshake: http.reject_at_handshake?.value ?? false,
});

const registrationOf = ({ interval, offset, labels, remote_cses }: Registration) => ({
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
