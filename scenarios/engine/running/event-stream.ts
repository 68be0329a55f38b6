import { EventEmitter, on } from 'node:events';

/** Work that emits events, and ends soon after its signal is aborted. */
export type EventWork<Event, Result> = (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>;

/**
 * Yields the events of the work and returns its result. When the reader stops, or `signal` is aborted, the work ends; then
 * `leave` cleans up and closes everything. Its argument says whether the run was interrupted.
 */
export async function* streamEvents<Event, Result>(
  work: EventWork<Event, Result>,
  leave: (interrupted: boolean) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, Result> {
  const emitter = new EventEmitter();
  const events = on(emitter, 'event', { close: ['over'] });
  const over = new AbortController();
  const abort = () => over.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const emit = (event: Event) => void emitter.emit('event', event);
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
