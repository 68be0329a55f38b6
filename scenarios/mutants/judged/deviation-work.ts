/** How deviations are judged: in several processes, a row for each. */
import { extname } from 'node:path';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import { now, since } from '../../engine/messages/target.ts';
import { type Answered, type CrewOptions, workThrough } from '../../engine/processes/crew.ts';
import { type TellingWork, whileTold } from '../../engine/running/while-told.ts';
import type { MutantChoice } from './scope.ts';

export interface DeviationWork extends MutantChoice, CrewChoice {
  /** Those of the simulator when absent. */
  readonly faults?: readonly DeviationFacts[];
  /** The module that each process runs; the one that judges the simulator when absent. */
  readonly worker?: URL;
}

/** 2 workers when absent; five minutes for one row, two for the scenarios about a deviation. */
export type CrewChoice = Partial<Omit<CrewOptions, 'module'>>;

/** How far the work is. */
export interface Progress {
  readonly done: number;
  readonly chosen: number;
  readonly says: string;
  /** Of rows that an earlier run had left. */
  readonly isKept?: true;
}

/** One more deviation is judged. */
export interface DeviationJudged<Row> extends Progress {
  readonly row: Row;
}

const own = new URL(`../worker${extname(import.meta.url)}`, import.meta.url);

export function crewOf({
  worker = own,
  workers = 2,
  limit = 300_000,
  signal,
}: Omit<DeviationWork, 'faults'>): CrewOptions {
  return { module: worker, workers, limit, ...(signal && { signal }) };
}

/** Has tasks done in several processes; yields what each came to as it is ready. Whoever stops reading ends the work. */
export function worked<Task extends object, Sight, Row>(
  tasks: Iterable<Task>,
  rowOf: (task: Task, answered: Answered<Sight>) => Row,
  crew: CrewOptions,
): AsyncGenerator<Row, void> {
  const work: TellingWork<Row, void> = (tell, signal) =>
    workThrough<Task, Sight>(tasks, (task, answered) => tell(rowOf(task, answered)), { ...crew, signal });
  return whileTold(work, async () => {}, crew.signal);
}

interface About {
  readonly fault: DeviationFacts;
}

/** Yields rows as they are ready; returns them in the order of the tasks, with what each table says of the work. */
export async function* deviationRows<Task extends About, Sight, Row extends About & { readonly verdict: string }>(
  tasks: readonly Task[],
  rowOf: (task: Task, answered: Answered<Sight>) => Row,
  work: DeviationWork,
) {
  const crew = crewOf(work);
  const [startedAt, started] = [new Date().toISOString(), now()];
  const chosen = tasks.length;
  const rows: Row[] = [];
  for await (const row of worked(tasks, rowOf, crew)) {
    const done = rows.push(row);
    yield { row, done, chosen, says: `deviations: ${row.fault.id} ${row.verdict}` } satisfies DeviationJudged<Row>;
  }
  const order = new Map(tasks.map(({ fault }, index) => [fault.id, index]));
  rows.sort((a, b) => (order.get(a.fault.id) ?? 0) - (order.get(b.fault.id) ?? 0));
  return { startedAt, took: since(started), workers: crew.workers, chosen, interrupted: rows.length < chosen, rows };
}

/** Why there is no sight; `what`: such as `the harness`, which has failed. */
export function reasonOf(answered: Exclude<Answered<unknown>, { readonly sight: unknown }>, what: string): string {
  const [[how = '', why = ''] = []] = Object.entries(answered);
  return `${how === 'failed' ? what : 'the worker'} ${how}: ${why}`;
}

/** Loaded only now: whoever judges others needs no simulator. */
export async function knownDeviations({ faults }: Pick<DeviationWork, 'faults'>): Promise<readonly DeviationFacts[]> {
  return faults ?? (await import('../../../sim/deviations/index.ts')).writtenDeviations();
}

/** How many rows have each verdict. */
export function countedBy<Verdict extends string>(
  all: readonly Verdict[],
  rows: ReadonlyArray<{ readonly verdict: Verdict }>,
): Record<Verdict, number> {
  const counts = all.map((one) => [one, rows.filter(({ verdict }) => verdict === one).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}
