/** The core's ports as a real installation fills them. */
import type { Clock } from './core/cse.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** So many random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  for (let place = 0; place < length; place++) text += alphabet[Math.floor(Math.random() * alphabet.length)];
  return text;
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
