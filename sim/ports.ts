/** The core's ports as a real installation fills them. */
import type { Clock } from './core/configuration.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Random characters made ahead: a name is a slice of them. */
let pool = '';
const poolLength = 8192;
let used = 0;

/** So many random letters and digits, 8,192 at the most. */
export function randomText(length: number): string {
  if (used + length > pool.length) refill();
  used += length;
  return pool.slice(used - length, used);
}

/** Characters that one random number is enough for: 62^5 fits in 31 bits. */
const perNumber = 5;

function refill(): void {
  const { length } = alphabet;
  const characters = Buffer.alloc(poolLength);
  for (let place = 0; place < poolLength; ) {
    let number = Math.floor(Math.random() * length ** perNumber);
    for (let digit = 0; digit < perNumber && place < poolLength; digit++) {
      characters[place++] = alphabet.charCodeAt(number % length);
      number = Math.floor(number / length);
    }
  }
  pool = characters.toString('latin1');
  used = 0;
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
