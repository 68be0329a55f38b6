/** What `cselab cleanup` does once its flags are read. */
import {
  type CleanedRun,
  type CleanUpOptions,
  cleanUp,
  defined,
  UsageError,
  withSecretsLearnt,
} from '../scenarios/index.ts';
import type { CleanupFlags } from './commands/cleanup.ts';
import { ledgersOf } from './commands/safety-flags.ts';
import { deathFacts } from './death-facts.ts';
import { chosenMasked, maskOutput, secrets } from './masked-streams.ts';
import { restartOf } from './restarter.ts';
import { visibleText } from './visible-text.ts';
import { counted } from './wording.ts';

export async function runCleanup(flags: CleanupFlags): Promise<void> {
  const { run, dryRun } = flags;
  const ledger = ledgersOf(flags.ledger);
  const outcomes: CleanedRun['outcome'][] = [];
  let died = false;
  for await (const cleaned of cleanUp({
    ledger,
    ...aboutTarget(flags),
    ...restartOf(flags),
    ...defined({ run, dryRun }),
  })) {
    outcomes.push(cleaned.outcome);
    died ||= cleaned.deaths !== undefined;
    process.stdout.write(textOf(cleaned));
  }
  if (run !== undefined && outcomes.length === 0)
    throw new UsageError(`there is no ledger of the run ${run} in ${ledger}`);
  if (outcomes.length === 0) process.stdout.write(`nothing is left of any run: there is no ledger in ${ledger}\n`);
  process.exitCode = outcomes.includes('unreachable') ? 3 : outcomes.includes('left') || died ? 1 : 0;
}

/** What the ledgers do not know, and the only target that is meant where one is named. */
function aboutTarget(flags: CleanupFlags): Pick<CleanUpOptions, 'choice' | 'url'> {
  const redactor = maskOutput([]);
  const { run: _run, ledger: _ledger, dryRun: _dryRun, restartCommand: _restart, ...said } = flags;
  const named = said.url !== undefined || said.target !== undefined;
  const { target } = chosenMasked(named ? said : { ...said, url: 'http://localhost' }, redactor);
  if (target.kind !== 'url') return {};
  const { url, admin, headers, tls, rate, connections, waitForTarget } = withSecretsLearnt(target, redactor);
  const choice = defined({ admin, headers, tls, rate, connections, waitForTarget, ...secrets() });
  return { choice, ...(named && { url }) };
}

function textOf(cleaned: CleanedRun): string {
  const { run, url, ledger, outcome, removed, left, reason, deaths = [] } = cleaned;
  const { headersMissing, originatorMissing } = cleaned;
  const lines = [`run ${run} at ${url}: ${sentence(outcome, removed.length, left.length, reason)}`];
  for (const { says, lines: facts } of deathFacts({ deaths })) lines.push(`  ${says}; ${facts.at(-1)}`);
  for (const path of removed) lines.push(`  ${outcome === 'listed' ? 'would remove' : 'removed'} ${path}`);
  for (const { path, why } of left) lines.push(`  left ${path}: ${why}`);
  if (outcome === 'left' && headersMissing.length > 0) {
    lines.push(`  the run sent ${headersMissing.join(', ')} with every request; give it with -H`);
  }
  if (outcome === 'left' && originatorMissing) {
    lines.push('  it had an originator that is a secret and stands in no ledger; give it with --admin, or --target');
  }
  if (outcome === 'left' || outcome === 'unreachable') lines.push(`  its ledger stays: ${ledger}`);
  return `${lines.map(visibleText).join('\n')}\n`;
}

function sentence(outcome: CleanedRun['outcome'], removed: number, left: number, reason = ''): string {
  switch (outcome) {
    case 'gone':
      return removed === 0 ? 'nothing was there any more' : `${counted(removed, 'resource')} removed, nothing is left`;
    case 'left':
      return `${counted(removed, 'resource')} removed, ${left} could not be removed`;
    case 'unreachable':
      return `the target could not be reached: ${reason}`;
    case 'in use':
      return 'the run still goes on, so that its ledger is left alone; --run names it all the same';
    case 'listed':
      return `${counted(removed, 'resource')} may be there; nothing was sent`;
  }
}
