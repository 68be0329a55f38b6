import type { Site } from '../../engine/running/site.ts';

/** The way of an operation in a pair. */
export interface Route {
  /** At which CSE stands what it speaks of. */
  readonly at: Site;
  /** By which form of path the other CSE is asked for it; null where its own CSE is. */
  readonly through: 'SP-relative' | 'absolute' | null;
}

export function otherSite(site: Site): Site {
  return site === 'gateway' ? 'backend' : 'gateway';
}
