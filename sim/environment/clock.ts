/** Clocks: the system's, and a manual one for virtual time. */
import type { Scheduler } from '../core/configuration.ts';
import { Agenda } from './agenda.ts';

export type { Scheduler };

export interface ManualClock extends Scheduler {
  /**
   * Advances time by milliseconds or a duration such as `90s`, `1h`, `2d`. Tasks run at their time, in order, each after
   * the end of the one before and of what it sends, unless that waits for a delayed answer. What a request before has
   * caused may still be under way afterwards: wait for it by `expectRequest` or an inbox's `next`. Throws a RangeError
   * for an invalid duration.
   */
  advance(duration: number | string): Promise<void>;
}

/** The longest delay of node's timers. */
const longestDelay = 2 ** 31 - 1;

/** The system's time in microseconds: finer than Date.now(), and corrected to it when the system's clock is set. */
function systemTime(): () => number {
  const tolerated = 50;
  let origin = performance.timeOrigin;
  let compared = Number.NEGATIVE_INFINITY;
  return () => {
    const elapsed = performance.now();
    if (elapsed - compared > 1) {
      compared = elapsed;
      if (Math.abs(Date.now() - origin - elapsed) > tolerated) origin = Date.now() - elapsed;
    }
    return Math.floor((origin + elapsed) * 1000);
  };
}

const ofTheSystem: Scheduler = {
  now: systemTime(),
  schedule(milliseconds, task) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const delay = Math.min(Math.max(left, 0), longestDelay);
      timer = setTimeout(() => (left > longestDelay ? wait(left - longestDelay) : void task()), delay);
      // A browser's timers are numbers.
      timer.unref?.();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};

/** The system's time. Its timers do not keep a process alive. */
export const systemClock = (): Scheduler => ofTheSystem;

/** A clock that stands still until advanced; it starts at these microseconds since 1970 UTC, now unless given. */
export function manualClock(start: number = systemClock().now()): ManualClock {
  let now = start;
  const agenda = new Agenda();
  let changeCount = 0;
  return {
    now: () => now,
    get changeCount() {
      return changeCount;
    },
    schedule(milliseconds, task, options) {
      return agenda.add({ ...options, at: now + Math.max(0, milliseconds) * 1000, task });
    },
    async advance(duration) {
      const end = now + millisecondsOf(duration) * 1000;
      changeCount += 1;
      const begin = (at: number) => {
        now = Math.max(now, at);
      };
      await agenda.runUntil(end, begin, () => {
        changeCount += 1;
      });
      now = end;
    },
  };
}

const unitMilliseconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }),
);

export function isDuration(duration: number | string): boolean {
  try {
    return millisecondsOf(duration) >= 0;
  } catch {
    return false;
  }
}

/** From milliseconds or a duration such as `90s`, `1h`, `2d`. Throws a RangeError for anything else. */
export function millisecondsOf(duration: number | string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? [];
  const milliseconds =
    typeof duration === 'number' ? duration : Number(count) * (unitMilliseconds.get(unit ?? '') ?? Number.NaN);
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return milliseconds;
  throw new RangeError(`${JSON.stringify(duration)} is no duration; write milliseconds, or 500ms, 90s, 5m, 1h, 2d.`);
}
