import { milliseconds } from '../grammar/names.ts';
import { realClock } from './growing-pauses.ts';

/** The time of a target, as far as the harness can let it pass. */
export interface TargetClock {
  /** Whether time is moved rather than waited for. */
  readonly virtual: boolean;
  /** Why so many milliseconds in all cannot pass for one scenario. When they can, they are set aside for it. */
  reserve(milliseconds: number): string | undefined;
  /** Lets a time such as `1h` pass. */
  advance(duration: string, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that a run waits for time to pass, unless its user says otherwise. */
const usualWait = 30_000;

/** Waits really, as long as the waits of a run together stay within a budget, in milliseconds. */
export function waitBudget(budget = usualWait): TargetClock {
  let left = budget;
  return {
    virtual: false,
    reserve(wanted) {
      if (wanted <= left) {
        left -= wanted;
        return undefined;
      }
      const spent = left === budget ? '' : `, of which ${timeText(left)} are left`;
      return `needs ${timeText(wanted)} of waiting; a run may wait ${timeText(budget)}${spent}. Give --wait-budget`;
    },
    advance: (duration, signal) => realClock.pause(milliseconds(duration), signal),
  };
}

/** Time that is moved by a function. */
export function movedClock(move: (duration: string) => Promise<void>): TargetClock {
  return { virtual: true, reserve: () => undefined, advance: (duration) => move(duration) };
}

function timeText(time: number): string {
  if (time >= 3_600_000) return `${Math.round(time / 360_000) / 10} h`;
  return time < 1000 ? `${time} ms` : `${Math.round(time / 100) / 10} s`;
}
