/** The command line: puts together the commands that the rooms offer, and lays out their help. */
import { readFileSync } from 'node:fs';
import type { Command, Help, Option } from 'commander';

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
  'ProductFileError',
  'UnwritableReport',
]);

// A reader that goes away early, such as `| head`, is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const [first, ...others] = process.argv.slice(2);
// Scripts ask for it often: nothing is loaded for that.
if (others.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${version()}\n`);
else await commandLine();

function version(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

async function commandLine(): Promise<void> {
  const { Command, CommanderError, Help } = await import('commander');
  const layout = Object.assign(new Help(), { minWidthToWrap: 0 });
  const program = new Command('cselab')
    .description(
      'A oneM2M laboratory: a reference CSE in memory, and a harness that judges any CSE by the documented interface.',
    )
    .version(version())
    .usage('<command> [options]')
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription: described })
    .configureOutput({ writeOut: (text) => process.stdout.write(wrapped(text, process.stdout.columns || 80, layout)) })
    .helpCommand(false)
    .addHelpText('after', '\nEach has its own help: cselab check --help')
    .showHelpAfterError('Try --help.')
    .exitOverride();
  await addCommands(program);
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has said it already; its own code is 1 for usage, 0 for help.
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : explain(error);
  }
}

async function addCommands(program: Command): Promise<void> {
  const { wholeNumber } = await import('./reports/commands/flag.ts');
  program.commandsGroup('For gateway builders, and their build servers:');
  (await import('./reports/commands/init.ts')).addInitCommand(program);
  (await import('./reports/commands/check.ts')).addCheckCommand(program);
  (await import('./reports/commands/baseline.ts')).addBaselineCommand(program);
  (await import('./reports/commands/show.ts')).addShowCommand(program);
  (await import('./reports/commands/replay.ts')).addReplayCommand(program);
  (await import('./reports/commands/explore.ts')).addExploreCommand(program);
  (await import('./reports/commands/merge.ts')).addMergeCommand(program);
  (await import('./reports/commands/compare.ts')).addCompareCommand(program);
  (await import('./reports/commands/lint.ts')).addLintCommand(program);
  program.commandsGroup('For integrators, at a gateway that is live:');
  (await import('./reports/commands/probe.ts')).addProbeCommand(program);
  (await import('./reports/commands/diff.ts')).addDiffCommand(program);
  (await import('./reports/commands/judge.ts')).addJudgeCommand(program);
  (await import('./reports/commands/record.ts')).addRecordCommand(program);
  (await import('./reports/commands/cleanup.ts')).addCleanupCommand(program);
  program.commandsGroup('For application developers:');
  (await import('./sim/up-command.ts')).addUpCommand(program, wholeNumber);
  (await import('./reports/commands/profile.ts')).addProfileCommand(program);
  (await import('./certs/certs-command.ts')).addCertsCommand(program, wholeNumber);
  program.commandsGroup('About the harness:');
  (await import('./reports/commands/list.ts')).addListCommand(program);
  (await import('./reports/commands/mutants.ts')).addMutantsCommand(program);
}

/** What an option says, its choices, and its default where it does not say that itself. */
function described({ description, argChoices = [], defaultValue, defaultValueDescription, negate }: Option): string {
  const choices = argChoices.length === 0 ? '' : `: ${argChoices.join(', ')}`;
  const [says = '', ...more] = description.split(' (default');
  const said = more.map((text) => ` (default${text}`).join('');
  const isPlain = negate || defaultValue === undefined || typeof defaultValue === 'boolean';
  const value = isPlain ? '' : ` (default: ${defaultValueDescription ?? String(defaultValue)})`;
  return `${says}${choices}${said || value}`;
}

/** Paragraphs that are too wide are wrapped, and what examples are about stands below them: commands stay in one piece. */
function wrapped(help: string, columns: number, layout: Help): string {
  const isTooWide = (text: string) => text.split('\n').some((line) => line.length > columns);
  const explained = /^( {2}cselab .*?\S) {2,}(?=\S)/;
  const isApart = help.split('\n').some((line) => explained.test(line) && isTooWide(line));
  return help
    .split(/(^\n|\n(?:\n|$|(?= |[^\n]*:\n|Exit codes)))/)
    .map((piece) => {
      if (piece.startsWith(' ')) return isApart ? piece.replace(explained, '$1\n      ') : piece;
      return isTooWide(piece) ? layout.boxWrap(piece.replace(/\s+/g, ' '), columns) : piece;
    })
    .join('');
}

/** Says what went wrong on stderr and returns the exit code. */
function explain(error: unknown): number {
  if (!(error instanceof Error)) throw error;
  const usage = usageErrors.has(error.name);
  process.stderr.write(`cselab: ${usage ? error.message : (error.stack ?? error.message)}\n`);
  return usage ? 2 : 3;
}
