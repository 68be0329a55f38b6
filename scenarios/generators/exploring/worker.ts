/** A process that searches the parts it is sent, each on its own CSE, until a sequence fails; the sender shrinks it. */
import { serveTasks } from '../../engine/processes/worker-pool.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from './explore.ts';
import type { SearchPart } from './search-parts.ts';

serveTasks((part: SearchPart) => lastOf(explore({ ...part, shrinkAttempts: 0 })));
