/** `cselab cleanup`: removes from live targets what runs have left there. */

import { cleanUp } from '../../scenarios/checking/clean-up.ts';
import type { CleanedRun, CleanUpOptions } from '../../scenarios/index.ts';
import { withSecretsLearnt } from '../../scenarios/results.ts';
import { defined, UsageError } from '../../scenarios/words.ts';
import { command, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { type Content, prose } from '../document/model.ts';
import { deathFacts } from '../facts/run-facts.ts';
import { counted } from '../facts/wording.ts';
import { restartCommand } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput, secrets } from '../flags/masked-streams.ts';
import { ledger, ledgersOf, politenessFlags, restartOf } from '../flags/safety-flags.ts';
import { reachFlags } from '../flags/target-flags.ts';
import { printContent } from '../formats/reporting.ts';
import { print } from '../writing/output-file.ts';

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

type CleanupFlags = ValuesOf<typeof flags>;

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

export const define = command({
  help: 'remove what runs that did not come to their end have left at live targets',
  flags,
  examples,
  async run(flags) {
    const { run, dryRun } = flags;
    const ledger = ledgersOf(flags.ledger);
    const options = { ledger, ...targetOptions(flags), ...restartOf(flags), ...defined({ run, dryRun }) };
    const all: CleanedRun[] = [];
    for await (const cleaned of cleanUp(options)) {
      all.push(cleaned);
      printContent(cleanedBlocks(cleaned));
    }
    if (run !== undefined && all.length === 0)
      throw new UsageError(`there is no ledger of the run ${run} in ${ledger}`);
    if (all.length === 0) print(`nothing to remove: no run has a ledger in ${ledger}`);
    const isLeft = all.some(({ outcome, deaths }) => outcome === 'left' || deaths !== undefined);
    return all.some(({ outcome }) => outcome === 'unreachable') ? 3 : isLeft ? 1 : 0;
  },
});

/** What ledgers do not hold; a named target is the only one. */
function targetOptions(flags: CleanupFlags): Pick<CleanUpOptions, 'choice' | 'url'> {
  const redactor = maskOutput([]);
  const { run: _run, ledger: _ledger, dryRun: _dryRun, restartCommand: _restart, ...reach } = flags;
  const hasTarget = reach.url !== undefined || reach.target !== undefined;
  const { target } = maskedTarget(hasTarget ? reach : { ...reach, url: 'http://localhost' }, redactor);
  if (target.kind !== 'url') return {};
  const { url, admin, headers, tls, rate, connections, waitForTarget } = withSecretsLearnt(target, redactor);
  const choice = defined({ admin, headers, tls, rate, connections, waitForTarget, ...secrets() });
  return { choice, ...(hasTarget && { url }) };
}

function cleanedBlocks(cleaned: CleanedRun): Content {
  const { run, url, ledger, outcome, removed, left, headersMissing, originatorMissing, deaths = [] } = cleaned;
  const missing = headersMissing.join(', ');
  const more = [
    ...deathFacts({ deaths }).map(({ says, lines: facts }) => `${says}; ${facts.at(-1)}`),
    ...removed.map((path) => `${outcome === 'listed' ? 'would remove' : 'removed'} ${path}`),
    ...left.map(({ path, why }) => `left ${path}: ${why}`),
    outcome === 'left' && missing !== '' && `the run sent ${missing} with every request; give it with -H`,
    outcome === 'left' &&
      originatorMissing &&
      'it had an originator that is a secret and stands in no ledger; give it with --admin, or --target',
    (outcome === 'left' || outcome === 'unreachable') && `its ledger stays: ${ledger}`,
  ];
  return [`run ${run} at ${url}: ${sentence(cleaned)}`, more.map((line) => line && prose(line, '  '))];
}

function sentence({ outcome, removed, left, reason = '' }: CleanedRun): string {
  const count = counted(removed.length, 'resource');
  const sentences: Readonly<Record<CleanedRun['outcome'], string>> = {
    gone: removed.length === 0 ? 'nothing was there any more' : `${count} removed, nothing is left`,
    left: `${count} removed, ${left.length} could not be removed`,
    unreachable: `the target could not be reached: ${reason}`,
    'in use': 'the run still goes on, so that its ledger is left alone; --run names it all the same',
    listed: `${count} may be there; nothing was sent`,
  };
  return sentences[outcome];
}
