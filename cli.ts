#!/usr/bin/env -S node --import tsx
/** The command line: only puts together the commands that the rooms offer. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { addCertsCommand } from './certs/certs-command.ts';
import { addBaselineCommand } from './reports/baseline-command.ts';
import { addCheckCommand, duration } from './reports/check-command.ts';
import { addCleanupCommand } from './reports/cleanup-command.ts';
import { addCompareCommand } from './reports/compare-command.ts';
import { addDiffCommand } from './reports/diff-command.ts';
import { addExploreCommand } from './reports/explore-command.ts';
import { addInitCommand } from './reports/init-command.ts';
import { addLintCommand } from './reports/lint-command.ts';
import { addMergeCommand } from './reports/merge-command.ts';
import { addMutantsCommand } from './reports/mutants-command.ts';
import { addProbeCommand } from './reports/probe-command.ts';
import { addRecordCommand } from './reports/record-command.ts';
import { addReplayCommand } from './reports/replay-command.ts';
import { addShowCommand } from './reports/show-command.ts';
import { addListCommand } from './scenarios/list-command.ts';
import { addUpCommand } from './sim/up-command.ts';

const usageErrors: ReadonlySet<string> = new Set([
  'UsageError',
  'ScenarioFilesError',
  'TreeFileError',
  'TrafficFileError',
  'CertificateFilesError',
  'ConfigurationError',
  'TlsMaterialError',
  'ListenError',
  'UpOptionsError',
  'UnwritableReport',
]);

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number.');
}

function version(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const program = new Command('cselab')
  .description(
    'A oneM2M laboratory: a reference CSE in memory, and a harness that judges any CSE by the documented interface.',
  )
  .version(version())
  .showHelpAfterError('Try --help.')
  .exitOverride();
addCheckCommand(program, wholeNumber);
addUpCommand(program, wholeNumber);
addListCommand(program);
addCleanupCommand(program, { wholeNumber, duration });
addLintCommand(program);
addInitCommand(program);
addProbeCommand(program, { wholeNumber, duration });
addExploreCommand(program, { wholeNumber, duration });
addDiffCommand(program, { wholeNumber, duration });
addRecordCommand(program, { wholeNumber, duration });
addBaselineCommand(program);
addMutantsCommand(program, wholeNumber);
addMergeCommand(program);
addCompareCommand(program);
addShowCommand(program);
addReplayCommand(program, wholeNumber);
addCertsCommand(program, wholeNumber);
for (const command of program.commands) command.exitOverride();

// A reader that goes away early, such as `| head`, is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}

/** Says what went wrong on stderr and returns the exit code. */
function explain(error: unknown): number {
  // Commander has said it already; its own code is 1 for usage, 0 for help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof Error)) throw error;
  const usage = usageErrors.has(error.name);
  process.stderr.write(`cselab: ${usage ? error.message : (error.stack ?? error.message)}\n`);
  return usage ? 2 : 3;
}
