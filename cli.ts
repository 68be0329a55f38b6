/** The command line: puts together the commands that the rooms offer, and lays out their help. */
import { readFileSync } from 'node:fs';
import type { Command, Option } from 'commander';

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
  const { Command, CommanderError, InvalidArgumentError } = await import('commander');
  const program = new Command('cselab')
    .description(
      'A oneM2M laboratory: a reference CSE in memory, and a harness that judges any CSE by the documented interface.',
    )
    .version(version())
    .usage('<command> [options]')
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription: described })
    .configureOutput({ writeOut: (text) => process.stdout.write(wrapped(text, process.stdout.columns || 80)) })
    .helpCommand(false)
    .addHelpText('after', '\nEach has its own help: cselab check --help')
    .showHelpAfterError('Try --help.')
    .exitOverride();
  await addCommands(program, (text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new InvalidArgumentError('It is not a whole number.');
  });
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has said it already; its own code is 1 for usage, 0 for help.
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : explain(error);
  }
}

async function addCommands(program: Command, wholeNumber: (text: string) => number): Promise<void> {
  const { addCheckCommand, duration } = await import('./reports/check-command.ts');
  const parsers = { wholeNumber, duration };
  program.commandsGroup('For gateway builders, and their build servers:');
  (await import('./reports/init-command.ts')).addInitCommand(program);
  addCheckCommand(program, wholeNumber);
  (await import('./reports/baseline-command.ts')).addBaselineCommand(program);
  (await import('./reports/show-command.ts')).addShowCommand(program);
  (await import('./reports/replay-command.ts')).addReplayCommand(program, wholeNumber);
  (await import('./reports/explore-command.ts')).addExploreCommand(program, parsers);
  (await import('./reports/merge-command.ts')).addMergeCommand(program);
  (await import('./reports/compare-command.ts')).addCompareCommand(program);
  (await import('./reports/lint-command.ts')).addLintCommand(program);
  program.commandsGroup('For integrators, at a gateway that is live:');
  (await import('./reports/probe-command.ts')).addProbeCommand(program, parsers);
  (await import('./reports/diff-command.ts')).addDiffCommand(program, parsers);
  (await import('./reports/judge-command.ts')).addJudgeCommand(program);
  (await import('./reports/record-command.ts')).addRecordCommand(program, parsers);
  (await import('./reports/cleanup-command.ts')).addCleanupCommand(program, parsers);
  program.commandsGroup('For application developers:');
  (await import('./sim/up-command.ts')).addUpCommand(program, wholeNumber);
  (await import('./reports/profile-command.ts')).addProfileCommand(program);
  (await import('./certs/certs-command.ts')).addCertsCommand(program, wholeNumber);
  program.commandsGroup('About the harness:');
  (await import('./scenarios/list-command.ts')).addListCommand(program);
  (await import('./reports/mutants-command.ts')).addMutantsCommand(program, wholeNumber);
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
function wrapped(help: string, columns: number): string {
  const isTooWide = (text: string) => text.split('\n').some((line) => line.length > columns);
  const explained = /^( {2}cselab .*?\S) {2,}(?=\S)/;
  const isApart = help.split('\n').some((line) => explained.test(line) && isTooWide(line));
  return help
    .split(/(^\n|\n(?:\n|$|(?= |[^\n]*:\n|Exit codes)))/)
    .map((piece) => {
      if (piece.startsWith(' ')) return isApart ? piece.replace(explained, '$1\n      ') : piece;
      return isTooWide(piece) ? paragraph(piece, columns) : piece;
    })
    .join('');
}

function paragraph(text: string, columns: number): string {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** Says what went wrong on stderr and returns the exit code. */
function explain(error: unknown): number {
  if (!(error instanceof Error)) throw error;
  const usage = usageErrors.has(error.name);
  process.stderr.write(`cselab: ${usage ? error.message : (error.stack ?? error.message)}\n`);
  return usage ? 2 : 3;
}
