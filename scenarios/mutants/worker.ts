/** A process that judges the mutants that it is sent by scenarios. */
import { see } from './see.ts';
import { serveTasks } from './serve-tasks.ts';

serveTasks(see);
