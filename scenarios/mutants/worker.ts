/** A process that judges the mutants that it is sent by scenarios. */

import { serveTasks } from '../engine/processes/crew.ts';
import { see } from './see.ts';

serveTasks(see);
