import fc from 'fast-check';
import type { Site } from '../../engine/running/installation.ts';

/** The way of an operation in a pair. */
export interface Route {
  /** At which CSE stands what it speaks of. */
  readonly at: Site;
  /** By which form of path the other CSE is asked for it; null where its own CSE is. */
  readonly through: 'SP-relative' | 'absolute' | null;
}

export type Through = NonNullable<Route['through']>;

/** By the other CSE. */
export type WayThrough = Route & { readonly through: Through };

export function otherSite(site: Site): Site {
  return site === 'gateway' ? 'backend' : 'gateway';
}

/** Shrinks to the gateway, asked directly. */
export const route: fc.Arbitrary<Route> = fc.record({
  at: fc.constantFrom('gateway' as const, 'backend' as const),
  through: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: fc.constantFrom('SP-relative' as const, 'absolute' as const) },
  ),
});

export const plainRoute: Route = { at: 'gateway', through: null };
