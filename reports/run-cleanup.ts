/** What `cselab cleanup` does once its flags are read. */
import { type CleanedRun, cleanUp, UsageError, usualLedgers } from '../scenarios/index.ts';
import type { CleanupFlags } from './cleanup-command.ts';
import { passphraseAsker } from './passphrase.ts';
import { defined, targetOf } from './target-flags.ts';
import { visibleText } from './visible-text.ts';
import { counted } from './wording.ts';

export async function runCleanup(flags: CleanupFlags): Promise<void> {
  const { run, dryRun, ledger = usualLedgers } = flags;
  const outcomes: CleanedRun['outcome'][] = [];
  for await (const cleaned of cleanUp({ ledger, choice: choiceOf(flags), ...defined({ run, dryRun }) })) {
    outcomes.push(cleaned.outcome);
    process.stdout.write(textOf(cleaned));
  }
  if (run !== undefined && outcomes.length === 0)
    throw new UsageError(`there is no ledger of the run ${run} in ${ledger}`);
  if (outcomes.length === 0) process.stdout.write(`nothing is left of any run: there is no ledger in ${ledger}\n`);
  process.exitCode = outcomes.includes('unreachable') ? 3 : outcomes.includes('left') ? 1 : 0;
}

/** What the ledgers do not know. */
function choiceOf(flags: CleanupFlags) {
  const passphrase = process.env.CSELAB_PASSPHRASE;
  const askPassphrase = passphraseAsker(process.stdin, process.stderr);
  const { run: _run, ledger: _ledger, dryRun: _dryRun, rate, connections, ...target } = flags;
  const said = targetOf(
    { ...target, url: 'http://localhost' },
    { ...(passphrase !== undefined && { passphrase }), ...(askPassphrase && { askPassphrase }) },
  );
  if (said.kind !== 'url') return {};
  const { admin, headers, tls } = said;
  return defined({ admin, headers, tls, rate, connections, passphrase, askPassphrase });
}

function textOf({ run, url, outcome, removed, left, reason, headersMissing, ledger }: CleanedRun): string {
  const lines = [`run ${run} at ${url}: ${sentence(outcome, removed.length, left.length, reason)}`];
  for (const path of removed) lines.push(`  ${outcome === 'listed' ? 'would remove' : 'removed'} ${path}`);
  for (const { path, why } of left) lines.push(`  left ${path}: ${why}`);
  if (outcome === 'left' && headersMissing.length > 0) {
    lines.push(`  the run sent ${headersMissing.join(', ')} with every request; give it with -H`);
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
