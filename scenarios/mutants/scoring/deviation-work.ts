/** Scores deviations in several processes, a row for each. */
import { extname } from 'node:path';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import { now, since } from '../../engine/messages/target.ts';
import { runTasks, type TaskResult, type WorkerPoolOptions } from '../../engine/processes/worker-pool.ts';
import { type EventWork, streamEvents } from '../../engine/running/event-stream.ts';
import type { DeviationSelection } from './scope.ts';

export interface DeviationWork extends DeviationSelection, PoolChoice {
  /** Those of the simulator when absent. */
  readonly deviations?: readonly DeviationFacts[];
  /** The module of each process; when absent, the worker for the simulator. */
  readonly worker?: URL;
}

/** 2 workers when absent; five minutes for one row, two for the scenarios about a deviation. */
export type PoolChoice = Partial<Omit<WorkerPoolOptions, 'module'>>;

/** How far the work is. */
export interface Progress {
  readonly done: number;
  readonly chosen: number;
  readonly says: string;
  /** Rows left by an earlier run. */
  readonly isKept?: true;
}

/** A deviation is scored. */
export interface DeviationChecked<Row> extends Progress {
  readonly row: Row;
}

const own = new URL(`../worker${extname(import.meta.url)}`, import.meta.url);

export function poolOf({ worker = own, workers = 2, limit = 300_000, signal }: DeviationWork): WorkerPoolOptions {
  return { module: worker, workers, limit, ...(signal && { signal }) };
}

/** Runs tasks in several processes; yields each row as it is ready. A reader that stops ends the work. */
export function rowsOf<Task extends object, Result, Row>(
  tasks: Iterable<Task>,
  rowOf: (task: Task, answered: TaskResult<Result>) => Row,
  pool: WorkerPoolOptions,
): AsyncGenerator<Row, void> {
  const work: EventWork<Row, void> = (tell, signal) =>
    runTasks<Task, Result>(tasks, (task, answered) => tell(rowOf(task, answered)), { ...pool, signal });
  return streamEvents(work, async () => {}, pool.signal);
}

interface About {
  readonly deviation: DeviationFacts;
}

/** Yields rows as they are ready; returns them in the order of the tasks, with common facts of the tables. */
export async function* deviationRows<Task extends About, Result, Row extends About & { readonly verdict: string }>(
  tasks: readonly Task[],
  rowOf: (task: Task, answered: TaskResult<Result>) => Row,
  work: DeviationWork,
) {
  const pool = poolOf(work);
  const [startedAt, started] = [new Date().toISOString(), now()];
  const chosen = tasks.length;
  const rows: Row[] = [];
  for await (const row of rowsOf(tasks, rowOf, pool)) {
    const done = rows.push(row);
    yield { row, done, chosen, says: `deviations: ${row.deviation.id} ${row.verdict}` } satisfies DeviationChecked<Row>;
  }
  const order = new Map(tasks.map(({ deviation }, index) => [deviation.id, index]));
  rows.sort((a, b) => (order.get(a.deviation.id) ?? 0) - (order.get(b.deviation.id) ?? 0));
  return { startedAt, took: since(started), workers: pool.workers, chosen, interrupted: rows.length < chosen, rows };
}

/** Why there is no result; `what`: such as `the harness`, which failed. */
export function reasonOf(answered: Exclude<TaskResult<unknown>, { readonly result: unknown }>, what: string): string {
  const [[how = '', why = ''] = []] = Object.entries(answered);
  return `${how === 'failed' ? what : 'the worker'} ${how}: ${why}`;
}

/** Loaded lazily: other deviations need no simulator. */
export async function knownDeviations({ deviations }: DeviationWork): Promise<readonly DeviationFacts[]> {
  return deviations ?? (await import('../../../sim/deviations/index.ts')).writtenDeviations();
}

/** Rows by verdict. */
export function countedBy<Verdict extends string>(
  all: readonly Verdict[],
  rows: ReadonlyArray<{ readonly verdict: Verdict }>,
): Record<Verdict, number> {
  const counts = all.map((one) => [one, rows.filter(({ verdict }) => verdict === one).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}
