/** A process that searches the parts that it is sent. */
import { serveTasks } from '../../engine/processes/crew.ts';
import { searchPart } from './search-part.ts';

serveTasks(searchPart);
