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

/** All pairs of characters, so that one random number below 62^4 makes four of them: it fits in 24 bits. */
const pairs = Uint16Array.from({ length: alphabet.length ** 2 }, (_, pair) => {
  const second = Math.floor(pair / alphabet.length);
  return alphabet.charCodeAt(pair % alphabet.length) + alphabet.charCodeAt(second) * 0x100;
});

const ascii = new TextDecoder();

function refill(): void {
  const { length } = pairs;
  const characters = new Uint16Array(poolLength / 2);
  for (let place = 0; place < characters.length; place += 2) {
    const number = Math.floor(Math.random() * length ** 2);
    characters[place] = pairs[number % length] as number;
    characters[place + 1] = pairs[Math.floor(number / length)] as number;
  }
  pool = ascii.decode(characters);
  used = 0;
}

/** The system's time in microseconds: finer than Date.now(), and brought back to it when the system's clock is set. */
export function systemClock(): Clock {
  const tolerated = 50;
  let origin = performance.timeOrigin;
  let compared = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const elapsed = performance.now();
      if (elapsed - compared > 1) {
        compared = elapsed;
        if (Math.abs(Date.now() - origin - elapsed) > tolerated) origin = Date.now() - elapsed;
      }
      return Math.floor((origin + elapsed) * 1000);
    },
  };
}
