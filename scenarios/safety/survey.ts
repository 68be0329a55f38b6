import type { Survey } from '../engine/result.ts';
import { type CseNames, keyOf, meantBy, pathOf } from './address.ts';
import type { Holdings } from './holdings.ts';
import type { Listing, Unlisted } from './listing.ts';

/** What a target holds, looked at once; or why it cannot be. */
export type Look = Listing | Unlisted;

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

/** What the looks say of a target that cannot be relied on: broken before the run, or since, or with what earlier runs left. */
export function damageIn(survey: Survey, before: Look | undefined, after: Look | undefined): Survey {
  if (before === undefined) return survey;
  if ('reason' in before) return before.fails === true ? { ...survey, unsound: before.reason } : survey;
  const there = after === undefined || 'reason' in after ? undefined : leftByEarlierRuns(after);
  const earlier = leftByEarlierRuns(before).filter((name) => there?.includes(name) !== false);
  const damaged = after !== undefined && 'reason' in after ? { damaged: after.reason } : {};
  return { ...survey, ...damaged, ...(earlier.length > 0 && { earlier }) };
}

/** What every run has as the beginning of its names. */
const ofSomeRun = /^cl-[0-9a-z]{7}-/;

/** The topmost, by their names. */
function leftByEarlierRuns({ addresses }: Listing): string[] {
  const names = [...addresses.values()].flatMap(({ segments }) => segments.find((one) => ofSomeRun.test(one)) ?? []);
  return [...new Set(names)];
}

/** Whether a look that shows everything by names does not show it. */
export function isContradicted(path: string, after: Look | undefined, names: CseNames): boolean {
  if (after === undefined || 'reason' in after || after.partial !== undefined) return false;
  const address = meantBy(path, names);
  const isByNames = [...after.addresses.values()].every(({ segments }) => segments[0] === names.base);
  return (
    isByNames &&
    address.cseId === names.cseId &&
    address.segments[0] === names.base &&
    !after.addresses.has(keyOf(address))
  );
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
