/** Makes this process a worker of a crew: it does the tasks that it is sent, one after the other. What it loads, it keeps. */
export function serveTasks<Task, Sight>(work: (task: Task) => Promise<Sight>): void {
  process.on('message', (task) => {
    work(task as Task).then(
      (sight) => process.send?.({ sight }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  // Ctrl-C at a terminal reaches every process; who sent the tasks decides what comes of it.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
}
