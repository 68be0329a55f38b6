import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../messages/target.ts';

/** How time passes for whoever waits; both in milliseconds. */
export interface Clock {
  now(): number;
  /** Ends early, without an error, when the signal is aborted. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now,
  pause: (milliseconds, signal) => delay(milliseconds, undefined, signal && { signal }).catch(() => {}),
};

/** Milliseconds. */
const first = 50;
const longest = 1000;

/**
 * Tries again after growing pauses until `enough` says so, or `limit` milliseconds are over; gives the last outcome. It is tried
 * once at least, and once more when the time is over.
 */
export async function withGrowingPauses<T>(
  attempt: () => Promise<T>,
  enough: (outcome: T) => boolean,
  { limit, signal, clock = realClock }: { limit: number; signal?: AbortSignal | undefined; clock?: Clock | undefined },
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
