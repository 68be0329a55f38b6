/** Certificates of clients that are taken although TLS objects to them. */
import type { RefusedKind } from '../../../certs/pki.ts';
import { counting, type Nth } from './counting.ts';
import { nothing } from './scope.ts';

/** node's codes of what OpenSSL says of them. */
const objections: Readonly<Partial<Record<RefusedKind, readonly string[]>>> = {
  expired: ['CERT_HAS_EXPIRED'],
  'not-yet-valid': ['CERT_NOT_YET_VALID'],
  'other-authority': [
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    'SELF_SIGNED_CERT_IN_CHAIN',
  ],
  'self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT'],
  'server-only': ['INVALID_PURPOSE'],
};

/** Asked once for each connection. */
export function overlooking(kind: string, nth: Nth | undefined): (objection: string) => boolean {
  const meant = objections[kind as RefusedKind] ?? [];
  const { isOne } = counting(nth);
  return (objection) => meant.includes(objection) && isOne(nothing);
}
