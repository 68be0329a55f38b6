import type { CseIdentity } from './address.ts';
import type { Dialect } from './dialect.ts';

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
  const inProvider = from.startsWith('/') ? from : `/${cseId}/${from}`;
  const leaves = to.startsWith('//') && !to.startsWith(`//${spId}/`);
  return leaves || dialect.name === 'documented' ? `//${spId}${inProvider}` : inProvider;
}
