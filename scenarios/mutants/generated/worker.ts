/** A process that looks for the faults that it is sent by generated sequences. */
import { serveTasks } from '../../engine/processes/crew.ts';
import { hunt } from './hunt.ts';

serveTasks(hunt);
