// @ts-check
/** The time of the installation, as it was told last. */

/** @typedef {{ now: number, going: boolean, told: number }} ClockTold */

/** `seen`: milliseconds by the time of the page. */
export const clock = { now: 0, going: true, told: 0, seen: 0 };

/**
 * What was told earlier comes later now and then: answers and events come by different ways.
 * @param {ClockTold} told
 * @param {boolean} [isNew] another console tells it, which counts from one again
 */
export function tellTime(told, isNew = false) {
  if (isNew || told.told > clock.told) Object.assign(clock, told, { seen: performance.now() });
}

/** Microseconds, as the clock of the installation shows now. */
export const now = () => (clock.going ? clock.now + (performance.now() - clock.seen) * 1000 : clock.now);
