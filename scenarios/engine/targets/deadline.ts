/**
 * Time limits that count only the time in which this process could run. A process that is busy or was not given a processor has
 * not waited: what came meanwhile lies unread, and saying that nothing came would be an untrue finding about the target.
 */

/** Milliseconds between two looks at the clock. */
const pause = 50;
/** Milliseconds that count at most between two looks: a little more, because timers are never quite on time. */
const most = 2 * pause;

interface Waiting {
  left: number;
  readonly expired: () => void;
}

const waiting = new Set<Waiting>();
let timer: NodeJS.Timeout | undefined;
let looked = 0;

/** Calls `expired` after so many milliseconds, unless what it gives is called before. */
export function deadline(milliseconds: number, expired: () => void): () => void {
  const one = { left: milliseconds, expired };
  if (waiting.size === 0) looked = performance.now();
  else count();
  waiting.add(one);
  wait();
  return () => {
    waiting.delete(one);
    if (waiting.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

function wait(): void {
  if (waiting.size === 0 || timer !== undefined) return;
  let soonest = pause;
  for (const { left } of waiting) soonest = Math.min(soonest, left);
  timer = setTimeout(look, soonest);
}

function look(): void {
  timer = undefined;
  count();
  for (const one of waiting) {
    if (one.left > 0) continue;
    waiting.delete(one);
    one.expired();
  }
  wait();
}

/** Takes the time since the last look from what is left to each. */
function count(): void {
  const time = performance.now();
  const passed = Math.min(time - looked, most);
  looked = time;
  for (const one of waiting) one.left -= passed;
}
