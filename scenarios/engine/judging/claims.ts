/** Claims of a conformance statement that a run contradicts. */

import type { RunResult } from '../results/result.ts';
import type { Claim } from '../results/run-context.ts';

type Claims = Pick<RunResult, 'ics' | 'profile'>;

/** Claimed, but behaves as not implemented; or denied, but behaves as implemented. */
export function contradictedIn({ ics = [] }: Claims): Claim[] {
  return ics.filter(({ claim, behaves }) =>
    claim === 'yes' ? behaves === 'not implemented' : claim === 'no' && behaves === 'implemented',
  );
}

/** Demanded by the profile, but not claimed, or claimed and behaving otherwise. */
export function unmetIn({ ics = [], profile }: Claims): Claim[] {
  const isMet = ({ claim, behaves }: Claim) => claim === 'yes' && behaves !== 'not implemented';
  return ics.filter((one) => profile?.demands.includes(one.id) === true && !isMet(one));
}

/** As a reason for a failed run; undefined where there is none. */
export function claimsReason(claims: Claims): string | undefined {
  const idsOf = (some: readonly Claim[]) => some.map(({ id }) => id).join(', ');
  const [contradicted, unmet] = [contradictedIn(claims), unmetIn(claims)];
  const parts = [
    contradicted.length > 0 && `its conformance statement is contradicted: ${idsOf(contradicted)}`,
    unmet.length > 0 && `what the profile ${claims.profile?.name} demands is not there: ${idsOf(unmet)}`,
  ];
  return parts.filter(Boolean).join('; ') || undefined;
}
