/** The HTTP front of an installed CSE: authentication, and retargeting to other CSEs. */
import { absoluteOriginator } from '../core/originator.ts';
import type { Resource } from '../core/resource.ts';
import { CseError, type StatusName } from '../core/status.ts';
import type { HttpOptionsFor } from '../cse/assemble-cse.ts';
import type { HttpRequest } from '../dialects/http-message.ts';
import type { NodeSettings } from './node-settings.ts';
import { retargeting } from './retargeting.ts';

/** `log` is called for expired resources. */
export function installationOf(
  settings: Omit<NodeSettings, 'cse'> = {},
  log: (line: string) => void = () => {},
): HttpOptionsFor {
  return (cse, sender) => {
    const { configuration, tree } = cse;
    const domain = `//${configuration.spId}`;
    tree.onExpired = (resource) => logExpired(resource, log);
    return {
      admit: authentication({
        requireCertificate: settings.http?.requireCert === true,
        isRegisteredCse: (id) => id.startsWith(`${domain}/`) && tree.byAlias(id.slice(domain.length)) !== undefined,
        ...(configuration.dialect.name === 'onem2m' && {
          normalize: (originator) => absoluteOriginator(originator, configuration),
          // TS-0004 7.3.2.1.
          refusal: 'ORIGINATOR_NOT_AUTHENTICATED',
        }),
      }),
      ...(settings.disableForwarding !== true && { retarget: retargeting({ cse, sender, settings }) }),
    };
  };
}

/** Not for content instances, which come and go. */
function logExpired({ path, descendants, type }: Resource, log: (line: string) => void): void {
  if (type.isInstance) return;
  const below = `${descendants} ${descendants === 1 ? 'resource' : 'resources'} below it`;
  log(`${path} has expired${descendants === 0 ? '' : `, with ${below}`}`);
}

// Authentication of originators by the client certificate of TLS (`gaps`, rows 32, 35 and 39).

export interface AuthenticationRules {
  /** `require_cert`: every client must present a certificate. */
  readonly requireCertificate: boolean;
  /** Whether the absolute identifier (`//sp/cse`) is that of a registered CSE, or of this one's registrar. */
  readonly isRegisteredCse: (identifier: string) => boolean;
  /** Converts an originator for comparison; as sent unless given. */
  readonly normalize?: (originator: string) => string;
  /** The refusal of an originator that the certificate does not name; 4103 unless given. */
  readonly refusal?: StatusName;
}

/** Checks requests; throws a CseError to refuse one. Over plain HTTP, without a peer, all are allowed. */
export function authentication(rules: AuthenticationRules) {
  const {
    requireCertificate,
    isRegisteredCse,
    normalize = (sent) => sent,
    refusal = 'ORIGINATOR_HAS_NO_PRIVILEGE',
  } = rules;
  return ({ peer, headers }: HttpRequest): void => {
    if (peer === undefined) return;
    const { uris } = peer;
    if (uris === undefined) {
      if (!requireCertificate) return;
      throw new CseError('SECURITY_ASSOCIATION_REQUIRED', 'This CSE requires a client certificate.');
    }
    const sent = headers['x-m2m-origin'];
    if (sent === undefined) {
      throw new CseError('ORIGINATOR_HAS_NO_PRIVILEGE', 'X-M2M-Origin is required with a client certificate.');
    }
    const originator = normalize(sent);
    if (uris.includes(originator)) return;
    if (uris.some((uri) => originator.startsWith(`${uri}/`) && isRegisteredCse(uri))) return;
    throw new CseError(refusal, `X-M2M-Origin ${JSON.stringify(sent)} is no URI of the certificate's subjectAltName.`);
  };
}
