import events from 'events/';

export * from 'absent:events';

export const { EventEmitter, once } = events;

/** What is emitted under a name, until something of `close` is. */
export async function* on(emitter, name, { close = [] } = {}) {
  const waiting = [];
  let isOver = false;
  let wake = () => undefined;
  emitter.on(name, (...values) => {
    waiting.push(values);
    wake();
  });
  for (const end of close)
    emitter.on(end, () => {
      isOver = true;
      wake();
    });
  while (waiting.length > 0 || !isOver) {
    if (waiting.length > 0) yield waiting.shift();
    else
      await new Promise((resolve) => {
        wake = resolve;
      });
  }
}
