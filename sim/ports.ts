/** The core's ports as a real installation fills them. */
import type { Clock } from './core/configuration.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Every two of them, so that a name costs half as many random numbers. */
const pairs = Array.from(alphabet, (one) => Array.from(alphabet, (other) => one + other)).flat();

/** So many random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += pairs[Math.floor(Math.random() * pairs.length)];
  return text.length === length ? text : text.slice(0, length);
}

/** The system's time in microseconds: finer than Date.now(), and brought back to it when the system's clock is set. */
export function systemClock(): Clock {
  const tolerated = 50;
  let origin = performance.timeOrigin;
  return {
    now() {
      const elapsed = performance.now();
      if (Math.abs(Date.now() - origin - elapsed) > tolerated) origin = Date.now() - elapsed;
      return Math.floor((origin + elapsed) * 1000);
    },
  };
}
