import { type Answered, type CrewOptions, workThrough } from '../engine/processes/crew.ts';
import { type TellingWork, whileTold } from '../engine/running/while-told.ts';

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
