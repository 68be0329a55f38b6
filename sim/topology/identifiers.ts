/** Identifiers in their absolute form (TS-0001, clause 7.2). */
import type { CseIdentity } from '../core/address.ts';

/** `//sp/cse`. */
export function absoluteCseId({ spId, cseId }: Pick<CseIdentity, 'spId' | 'cseId'>): string {
  return `//${spId}/${cseId}`;
}

/** `CAE` → `//sp/cse/CAE`, `/cse/CAE` → `//sp/cse/CAE`; what is absolute already stays. */
export function absoluteOriginator(originator: string, identity: Pick<CseIdentity, 'spId' | 'cseId'>): string {
  if (originator.startsWith('//')) return originator;
  if (originator.startsWith('/')) return `//${identity.spId}${originator}`;
  return `${absoluteCseId(identity)}/${originator}`;
}
