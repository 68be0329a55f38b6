/** Identifiers in their absolute form (TS-0001, clause 7.2). */
import type { CseIdentity } from '../core/address.ts';

/** `//sp/cse`. */
export function absoluteCseId({ spId, cseId }: Pick<CseIdentity, 'spId' | 'cseId'>): string {
  return `//${spId}/${cseId}`;
}
