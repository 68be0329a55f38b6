import { EventEmitter, on } from 'node:events';

/** Work that tells events while it goes on, and ends soon after its signal is aborted. */
export type EventWork<Event, Result> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>;

/**
 * Yields what the work tells, and returns what it comes to. Whenever the reader stops, or `signal` is aborted, the work is ended; then
 * `leave` removes what was created and closes what is open. It is told whether somebody interrupted.
 */
export async function* streamEvents<Event, Result>(
  work: EventWork<Event, Result>,
  leave: (interrupted: boolean) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, Result> {
  const emitter = new EventEmitter();
  const events = on(emitter, 'told', { close: ['over'] });
  const over = new AbortController();
  const abort = () => over.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const emit = (event: Event) => void emitter.emit('told', event);
  const working = work(emit, over.signal).finally(() => emitter.emit('over'));
  try {
    for await (const [event] of events) yield event as Event;
  } finally {
    over.abort();
    await working.catch(() => {});
    signal?.removeEventListener('abort', abort);
    await leave(signal?.aborted === true);
  }
  return working;
}
