/** The time of the installation, as it was told last. */
import type { ClockTold } from '../console-routes.ts';

/** `seen`: milliseconds by the time of the page. */
export const clock = { now: 0, going: true, told: 0, seen: 0 };

/**
 * What was told earlier comes later now and then: answers and events come by different ways. `isNew`: another console tells it,
 * which counts from one again.
 */
export function tellTime(told: ClockTold, isNew = false): void {
  if (isNew || told.told > clock.told) Object.assign(clock, told, { seen: performance.now() });
}

/** Microseconds, as the clock of the installation shows now. */
export const now = (): number => (clock.going ? clock.now + (performance.now() - clock.seen) * 1000 : clock.now);
