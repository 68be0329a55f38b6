import { EventEmitter, on } from 'node:events';

/** Work that tells events while it goes on, and ends soon after its signal is aborted. */
export type TellingWork<Event, Result> = (tell: (event: Event) => void, signal: AbortSignal) => Promise<Result>;

/**
 * Yields what the work tells, and returns what it comes to. Whenever the reader stops, or `signal` is aborted, the work is ended; then
 * `leave` removes what was created and closes what is open. It is told whether somebody interrupted.
 */
export async function* whileTold<Event, Result>(
  work: TellingWork<Event, Result>,
  leave: (interrupted: boolean) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, Result> {
  const teller = new EventEmitter();
  const told = on(teller, 'told', { close: ['over'] });
  const over = new AbortController();
  const abort = () => over.abort();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  const tell = (event: Event) => void teller.emit('told', event);
  const working = work(tell, over.signal).finally(() => teller.emit('over'));
  try {
    for await (const [event] of told) yield event as Event;
  } finally {
    over.abort();
    await working.catch(() => {});
    signal?.removeEventListener('abort', abort);
    await leave(signal?.aborted === true);
  }
  return working;
}
