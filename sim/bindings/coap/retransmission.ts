/** How often a confirmable message is sent before its receiver is given up (RFC 7252, clauses 4.2 and 4.8). */

/** Milliseconds; by chance up to half as long again. */
const firstWait = 2_000;
const mostTimes = 4;

/** Sends at once, and again and again until what it gives is called, at most five times in all. */
export function retransmitted(send: () => void): () => void {
  let wait = firstWait * (1 + Math.random() / 2);
  let timer: NodeJS.Timeout | undefined;
  const again = (left: number): void => {
    send();
    if (left === 0) return;
    timer = setTimeout(() => again(left - 1), wait);
    // Nobody is kept alive by it.
    timer.unref();
    wait *= 2;
  };
  again(mostTimes);
  return () => clearTimeout(timer);
}
