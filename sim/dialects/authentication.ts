/** Authentication of originators by the client certificate of TLS (`gaps`, rows 32, 35 and 39). */
import { CseError, type StatusName } from '../core/status.ts';
import type { HttpRequest } from './http-message.ts';

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
