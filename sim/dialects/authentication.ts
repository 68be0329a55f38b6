/** Who may send a request over TLS, by the certificate of the connection (`gaps`, rows 32, 35 and 39). */
import { CseError, type StatusName } from '../core/status.ts';
import type { HttpRequest } from './http-message.ts';

export interface AuthenticationRules {
  /** `require_cert`: every client presents a certificate. */
  readonly requireCertificate: boolean;
  /** Whether the absolute identifier (`//sp/cse`) is that of a CSE registered here, or at which this one is registered. */
  readonly isRegisteredCse: (identifier: string) => boolean;
  /** The form of an originator that is compared; as it was sent unless given. */
  readonly normalize?: (originator: string) => string;
  /** How an originator is refused that the certificate does not name; 4103 unless given. */
  readonly refusal?: StatusName;
}

/** Checks requests; throws the CseError of a refusal. Over plain HTTP, where a request has no peer, everybody may send. */
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
