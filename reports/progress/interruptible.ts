const interruptions = ['SIGINT', 'SIGTERM'] as const;

/** Does something that Ctrl-C ends by a signal; a second one ends the process, after what is said then. */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>, atSecond = () => {}): Promise<T> {
  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (!interrupt.signal.aborted) return interrupt.abort();
    atSecond();
    process.exit(130);
  };
  for (const signal of interruptions) process.on(signal, onInterrupt);
  try {
    return await task(interrupt.signal);
  } finally {
    for (const signal of interruptions) process.off(signal, onInterrupt);
  }
}
