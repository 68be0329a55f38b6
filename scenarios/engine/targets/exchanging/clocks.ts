import { setTimeout as delay } from 'node:timers/promises';
import { milliseconds } from '../../grammar/names.ts';
import { now } from '../../messages/target.ts';

/** Real or virtual time for pauses; both in milliseconds. */
export interface PauseClock {
  now(): number;
  /** Ends early, without an error, when the signal is aborted. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** How to pause; `signal` ends all pauses. */
export interface PauseOptions {
  readonly clock?: PauseClock | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const realClock: PauseClock = {
  now,
  pause: (milliseconds, signal) => delay(milliseconds, undefined, signal && { signal }).catch(() => {}),
};

/** Milliseconds. */
const first = 50;
const longest = 1000;

/**
 * Retries after growing pauses until `enough` holds, or `limit` milliseconds are over; returns the last outcome. Makes at least
 * one attempt, and another when the time is over.
 */
export async function withGrowingPauses<T>(
  attempt: () => Promise<T>,
  enough: (outcome: T) => boolean,
  { limit, signal, clock = realClock }: PauseOptions & { readonly limit: number },
): Promise<T> {
  const started = clock.now();
  let outcome = await attempt();
  for (let pause = first; !enough(outcome); pause = Math.min(2 * pause, longest)) {
    const left = limit - (clock.now() - started);
    if (left <= 0 || signal?.aborted) return outcome;
    await clock.pause(Math.min(pause, left), signal);
    if (signal?.aborted) return outcome;
    outcome = await attempt();
  }
  return outcome;
}

/** The time of a target, which the harness can let pass. */
export interface TargetClock {
  /** Whether time is virtual. */
  readonly virtual: boolean;
  /** Reserves the total time of a scenario; returns why that is impossible. */
  reserve(milliseconds: number): string | undefined;
  /** Lets a time such as `1h` pass. */
  advance(duration: string, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that a run may wait for time to pass, by default. */
const usualWait = 30_000;

/** Waits in real time, as long as the waits of a run stay within a budget, in milliseconds. */
export function waitBudget(budget = usualWait): TargetClock {
  let left = budget;
  return {
    virtual: false,
    reserve(requested) {
      if (requested <= left) {
        left -= requested;
        return undefined;
      }
      const spent = left === budget ? '' : `, of which ${timeText(left)} are left`;
      return `needs ${timeText(requested)} of waiting; a run may wait ${timeText(budget)}${spent}. Give --wait-budget`;
    },
    advance: (duration, signal) => realClock.pause(milliseconds(duration), signal),
  };
}

/** Virtual time, advanced by a function. */
export function virtualClock(move: (duration: string) => Promise<void>): TargetClock {
  return { virtual: true, reserve: () => undefined, advance: (duration) => move(duration) };
}

function timeText(time: number): string {
  if (time >= 3_600_000) return `${Math.round(time / 360_000) / 10} h`;
  return time < 1000 ? `${time} ms` : `${Math.round(time / 100) / 10} s`;
}
