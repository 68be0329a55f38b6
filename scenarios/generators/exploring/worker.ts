/** A process that searches the parts that it is sent, each on a CSE of its own, until a sequence fails: that is made small by who sent it. */
import { serveTasks } from '../../engine/processes/worker-pool.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from './explore.ts';
import type { SearchPart } from './search-parts.ts';

serveTasks((part: SearchPart) => lastOf(explore({ ...part, shrinkAttempts: 0 })));
