/** A process that judges the mutants that it is sent by scenarios. */

import { serveTasks } from '../engine/processes/serve-tasks.ts';
import { see } from './see.ts';

serveTasks(see);
