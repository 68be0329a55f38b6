/** Processes that work through a list of tasks. One that dies or hangs loses its task and is replaced. */
import { type ChildProcess, fork } from 'node:child_process';

/** The result of a task, or why there is none. */
export type TaskResult<Result> =
  | { readonly result: Result }
  | { readonly failed: string }
  | { readonly died: string }
  | { readonly hung: string };

export interface WorkerPoolOptions {
  /** The module that each process runs: it is sent one task at a time, and sends back `{ result }` or `{ failed }`. */
  readonly module: URL;
  /** Processes at the same time. */
  readonly workers: number;
  /** Milliseconds after which a task counts as hung. */
  readonly limit: number;
  /** Ends the work: no task begins any more, and current ones are abandoned. */
  readonly signal?: AbortSignal;
}

/** Calls `onResult` for each finished task, in any order. Resolves when no process is left. */
export async function runTasks<Task extends object, Result>(
  tasks: Iterable<Task>,
  onResult: (task: Task, result: TaskResult<Result>) => void,
  options: WorkerPoolOptions,
): Promise<void> {
  const left = tasks[Symbol.iterator]();
  // A worker that stops must not end it for the others.
  const shared = { [Symbol.iterator]: () => ({ next: () => left.next() }) };
  await Promise.all(
    Array.from({ length: options.workers }, async () => {
      let worker: ChildProcess | undefined;
      for (const task of shared) {
        if (options.signal?.aborted) break;
        worker ??= fork(options.module, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
        const result = await resultOf<Task, Result>(worker, task, options);
        if (result !== 'given up') onResult(task, result);
        if (result === 'given up' || 'died' in result || 'hung' in result) worker = await endWorker(worker);
      }
      if (worker !== undefined) await endWorker(worker);
    }),
  );
}

function resultOf<Task extends object, Result>(
  worker: ChildProcess,
  task: Task,
  { limit, signal }: WorkerPoolOptions,
): Promise<TaskResult<Result> | 'given up'> {
  return new Promise((resolve) => {
    const settle = (result: TaskResult<Result> | 'given up') => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(result);
    };
    const onMessage = (message: unknown) => settle(message as TaskResult<Result>);
    const onExit = (code: number | null, by: string | null) =>
      settle({ died: `the process ended ${by === null ? `with ${code}` : `by ${by}`}` });
    const onError = (error: Error) => settle({ died: error.message });
    const onAbort = () => settle('given up');
    const timer = setTimeout(() => settle({ hung: `no answer within ${limit / 1000} s` }), limit);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onMessage).on('exit', onExit).on('error', onError);
    if (worker.exitCode !== null || worker.signalCode !== null) onExit(worker.exitCode, worker.signalCode);
    else worker.send(task);
  });
}

/** It has nothing to clean up. */
function endWorker(worker: ChildProcess): Promise<undefined> {
  return new Promise((resolve) => {
    if (worker.pid === undefined || worker.exitCode !== null || worker.signalCode !== null) return resolve(undefined);
    worker.once('exit', () => resolve(undefined));
    worker.kill('SIGKILL');
  });
}

/** Makes this process a worker of a pool: it does tasks one after the other, and keeps loaded modules. */
export function serveTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.on('message', (task) => {
    work(task as Task).then(
      (result) => process.send?.({ result }),
      (error: unknown) =>
        process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  // Ctrl-C at a terminal reaches every process; the parent decides what to do.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
}
