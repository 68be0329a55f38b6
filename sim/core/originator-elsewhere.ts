import type { CseIdentity } from './address.ts';
import type { Dialect } from './dialect.ts';

/** `CAE` → `//sp/cse/CAE`, `/cse/CAE` → `//sp/cse/CAE`; what is absolute already stays (TS-0001, clause 7.2). */
export function absoluteOriginator(originator: string, { spId, cseId }: Pick<CseIdentity, 'spId' | 'cseId'>): string {
  if (originator.startsWith('//')) return originator;
  return originator.startsWith('/') ? `//${spId}${originator}` : `//${spId}/${cseId}/${originator}`;
}

/**
 * An originator as another CSE has to call it. The documented dialect writes it absolutely (`gaps`, row 39); the standard with its CSE
 * before it, and with its service provider only where that is another one than the target's (TS-0004, clause 7.3.2.6).
 */
export function originatorElsewhere(
  from: string,
  { spId, cseId, dialect }: Pick<CseIdentity, 'spId' | 'cseId'> & { readonly dialect: Dialect },
  to = '',
): string {
  if (from === '' || from.startsWith('//')) return from;
  const leaves = to.startsWith('//') && !to.startsWith(`//${spId}/`);
  if (leaves || dialect.name === 'documented') return absoluteOriginator(from, { spId, cseId });
  return from.startsWith('/') ? from : `/${cseId}/${from}`;
}
