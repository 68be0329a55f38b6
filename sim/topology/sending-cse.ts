import type { Scheduler } from '../clock.ts';
import type { CseOptions, ReferenceCse } from '../create-cse.ts';
import type { Sender } from '../dialects/outgoing-message.ts';
import '../deviations/index.ts';
import { assemble } from './assemble.ts';

/** A CSE without a socket whose own requests, with what faults make of them, go to `client`. */
export function createSendingCse(cse: CseOptions & { readonly clock: Scheduler }, client: Sender): ReferenceCse {
  const { clock, onError = console.error } = cse;
  return assemble({ cse }, { client, url: undefined, clock, onError, gate: (messenger) => messenger }).cse;
}
