/** `cselab cleanup`: removes from live targets what runs have left there. */
import { restartCommand } from './common-flags.ts';
import { command, type GivenIn, toggle, valued } from './flag.ts';
import { ledger, politenessFlags } from './safety-flags.ts';
import { reachFlags } from './target-flags.ts';

const flags = {
  '': {
    run: valued('<id>', 'only what this run has left'),
    ledger: ledger('where runs wrote down what they created'),
    dryRun: toggle('only say what would be removed, and send nothing'),
  },
  ...politenessFlags({ restartCommand }),
  ...reachFlags({
    target: valued('<file>', 'only what runs have left at the target that this file describes, with what it says'),
    url: valued('<url>', 'only what runs have left at this target'),
  }),
};

export type CleanupFlags = GivenIn<typeof flags>;

const examples = `
A run writes down what it is about to create before it sends the request, and forgets it when all is gone again. What was
killed leaves its ledger behind: cleanup removes what that names, the youngest first, as whoever created it, then as --admin.
A ledger whose run still goes on is left alone, unless --run names it. Secrets stand in no ledger: an administrator that a
target file takes from the environment is named by --admin or --target.
A target that dies of a removal is waited for; that removal is not sent again.
Exit codes: 0 nothing is left, 1 something is, or a removal killed the target, 2 usage, 3 a target could not be reached.

Examples:
  cselab cleanup                        everything that was left, wherever it is
  cselab cleanup --dry-run              only say what would be removed
  cselab cleanup --target gw.yaml       at this target only, as the file says
  cselab cleanup --run 0ab1cd2 -H 'Authorization: Bearer …' --admin CAdmin`;

export const addCleanupCommand = command({
  name: 'cleanup',
  summary: 'remove what runs that were cut off have left at live targets',
  says: 'remove what runs that did not come to their end have left at live targets',
  flags,
  examples,
  run: async (given) => (await import('../run-cleanup.ts')).runCleanup(given),
});
