/** A process that looks for the faults that it is sent by generated sequences. */
import { serveTasks } from '../../engine/processes/serve-tasks.ts';
import { hunt } from './hunt.ts';

serveTasks(hunt);
