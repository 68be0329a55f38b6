/** How often a confirmable message is sent before its receiver is given up (RFC 7252, clauses 4.2 and 4.8). */

import type { Scheduler } from '../../environment/clock.ts';

/** Milliseconds; randomly up to half as long again. */
const firstWait = 2_000;
const mostTimes = 4;

/** Sends at once and then by the clock, at most five times in all; returns a function that stops it. */
export function retransmitted(clock: Scheduler, send: () => void): () => void {
  let wait = firstWait * (1 + Math.random() / 2);
  let cancel = (): void => {};
  const again = (left: number): void => {
    send();
    if (left === 0) return;
    cancel = clock.schedule(wait, () => again(left - 1));
    wait *= 2;
  };
  again(mostTimes);
  return () => cancel();
}
