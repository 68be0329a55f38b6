/** The event loop's next turn, in Node and in a browser. */

/** Resolves after everything that is due in this turn. */
export const nextTurn: () => Promise<void> =
  typeof setImmediate === 'function' ? () => new Promise((resolve) => setImmediate(resolve)) : turnsByMessages();

/** Messages, because browsers make timers wait for 4 ms as soon as they follow one another. */
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
