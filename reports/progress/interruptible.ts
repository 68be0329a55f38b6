const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** Does something that Ctrl-C ends by a signal; a second one ends the process. */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = () => (interrupt.signal.aborted ? process.exit(130) : interrupt.abort());
  for (const signal of interruptions) process.on(signal, onInterrupt);
  try {
    return await task(interrupt.signal);
  } finally {
    for (const signal of interruptions) process.off(signal, onInterrupt);
  }
}
