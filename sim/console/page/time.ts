/** The time of the installation, as last reported. */
import type { ClockState } from '../console-routes.ts';

/** `seen`: milliseconds by the time of the page. */
export const clock = { now: 0, running: true, version: 0, seen: 0 };

/**
 * Older reports may arrive later: answers and events come by different ways. `isNew`: another console reports it, which counts from one
 * again.
 */
export function setClock(state: ClockState, isNew = false): void {
  if (isNew || state.version > clock.version) Object.assign(clock, state, { seen: performance.now() });
}

/** Microseconds, as the clock of the installation shows now. */
export const now = (): number => (clock.running ? clock.now + (performance.now() - clock.seen) * 1000 : clock.now);
