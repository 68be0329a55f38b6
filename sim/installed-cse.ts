/** A reference CSE as an installation runs it, without journals and controls. */
import { assembleCse, type Installation } from './assemble-cse.ts';
import type { CseOptions, ReferenceCse } from './create-cse.ts';
import { HttpClient } from './topology/client.ts';
import { TargetRules } from './topology/target-rules.ts';

/** With what its installation puts before it. What faults it has are known by now: `loadWritten`. */
export function createInstalledCse(options: CseOptions, installation: Installation): ReferenceCse {
  return assembleCse(
    options,
    installation,
    () => new HttpClient({ targets: new TargetRules({ deny: options.notifyDeny ?? [] }) }),
  );
}
