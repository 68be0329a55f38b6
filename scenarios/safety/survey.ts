import type { Survey } from '../engine/result.ts';
import { type CseNames, pathOf } from './address.ts';
import type { Holdings } from './holdings.ts';
import type { Listing } from './listing.ts';

/** What a target holds, looked at once; or why it cannot be. */
export type Look = Listing | { readonly reason: string };

/** What two looks at a target, before and after a run, say about it. */
export function surveyOf(before: Look, after: Look, holdings: Holdings, names: CseNames): Survey {
  const reasons = [before, after].map((look) => ('reason' in look ? look.reason : look.partial));
  const reason = reasons.find((one) => one !== undefined);
  const told = reason === undefined ? {} : { reason };
  if ('reason' in after) return { before: sizeOf(before), after: 0, left: [], others: 0, ...told };
  const own = [...after.addresses.values()].filter((address) => holdings.holds(address));
  const left = own.map((address) => pathOf(address, names));
  return {
    before: sizeOf(before),
    after: after.addresses.size,
    left,
    others: othersIn(before, after, holdings),
    ...told,
  };
}

function sizeOf(look: Look): number {
  return 'reason' in look ? 0 : look.addresses.size;
}

/** Those that came or went, and are not of the run. */
function othersIn(before: Look, after: Listing, holdings: Holdings): number {
  if ('reason' in before) return 0;
  const came = [...after.addresses].filter(([key, one]) => !before.addresses.has(key) && !holdings.holds(one));
  const gone = [...before.addresses.keys()].filter((key) => !after.addresses.has(key));
  return came.length + gone.length;
}
