/** What one CSE takes on at the same time: a refusal names the limit that it applies. */
import type { Limits } from './limits.ts';
import { CseError, NOT_ACCEPTABLE } from './status.ts';

/** Refuses one more where there are as many as the limit allows. Throws a CseError (NOT_ACCEPTABLE). */
export function checkRoom(present: number, name: keyof Limits, limits: Limits, what: string): void {
  if (present < limits[name]) return;
  throw new CseError(NOT_ACCEPTABLE, `There are ${limits[name]} ${what}, which is the limit (${name}).`);
}

/** Refuses what is asked for beyond the limit. */
export function checkMost(wanted: number, name: keyof Limits, limits: Limits, what: string): void {
  if (wanted <= limits[name]) return;
  throw new CseError(NOT_ACCEPTABLE, `${what} can be ${limits[name]} at most (${name}).`);
}
