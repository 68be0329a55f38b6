/** The core's ports in a real installation. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Random characters generated ahead: a name is a slice of them. */
let pool = '';
const poolLength = 8192;
let used = 0;

/** So many random letters and digits, at most 8,192. */
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
  for (let index = 0; index < characters.length; index += 2) {
    const number = Math.floor(Math.random() * length ** 2);
    characters[index] = pairs[number % length] as number;
    characters[index + 1] = pairs[Math.floor(number / length)] as number;
  }
  pool = ascii.decode(characters);
  used = 0;
}

/** Resolves in the event loop's next turn, in Node and in a browser, after everything due in this one. */
export const nextTurn: () => Promise<void> =
  typeof setImmediate === 'function' ? () => new Promise((resolve) => setImmediate(resolve)) : turnsByMessages();

/** By messages, because browsers delay successive timers by 4 ms. */
function turnsByMessages(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(undefined);
    });
}
