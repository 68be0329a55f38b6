import { flexContainerType } from './numbers.ts';

/** The root key of what announces a kind; definitions of TS-0023 have names of their own for that (clause 6.4). */
export function announcedRoot({ root, ty }: { readonly root: string; readonly ty: number }): string {
  return ty === flexContainerType && !root.startsWith('m2m:') ? `${root}Annc` : `${root}A`;
}
