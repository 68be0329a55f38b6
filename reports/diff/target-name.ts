import type { DiffResult } from '../../scenarios/index.ts';

/** A target in a few words. */
export function targetName({ kind, url, product, faults }: DiffResult['targets']['A']): string {
  if (kind !== 'in-process') return product === undefined ? url : `${url} (${product})`;
  return faults === undefined ? 'the reference CSE' : `the reference CSE with ${faults.join(', ')}`;
}
