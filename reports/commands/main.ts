/** The command line: assembles the commands of the folders, and lays out their help. */
import type { Command, Help, Option } from 'commander';
import { io } from '../writing/io.ts';

const usageErrors: ReadonlySet<string> = new Set([
  'UsageError',
  'ScenarioFilesError',
  'TreeFileError',
  'WorkloadFileError',
  'CertificateFilesError',
  'ConfigurationError',
  'TlsMaterialError',
  'ListenError',
  'MissingPackageError',
  'UpOptionsError',
  'ProductFileError',
  'RowFileError',
  'UnwritableReport',
]);

interface Definition {
  define(command: Command, wholeNumber: (text: string) => number, exit: (code: number) => void): unknown;
}

/** By the headings of the help: the summary of each, and where it is defined. */
export type Commands = Readonly<
  Record<string, Readonly<Record<string, readonly [summary: string, load: () => Promise<Definition>]>>>
>;

/** Runs a command line; resolves to the exit code. */
export async function main(args: readonly string[], commands: Commands, version: string): Promise<number> {
  let code = 0;
  const { stdout, stderr } = io();
  const { Command, CommanderError, Help } = await import('commander');
  const layout = Object.assign(new Help(), { minWidthToWrap: 0 });
  const program = new Command('cselab')
    .description(
      'A oneM2M laboratory: a reference CSE in memory, and a harness that checks any CSE by the documented interface.',
    )
    .version(version)
    .usage('<command> [options]')
    .configureHelp({ subcommandTerm: (command) => command.name(), optionDescription: describe })
    .configureOutput({
      writeOut: (text) => stdout.write(wrapped(text, stdout.columns || 80, layout)),
      writeErr: (text) => stderr.write(text),
    })
    .helpCommand(false)
    .addHelpText('after', '\nEach has its own help: cselab check --help')
    .showHelpAfterError('Try --help.')
    .exitOverride();
  await addCommands(program, commands, args, (reached) => {
    code = reached;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed it; its own code is 1 for usage, 0 for help.
    return error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : explain(error);
  }
}

/** Loads only the named command; all without arguments. */
async function addCommands(
  program: Command,
  commands: Commands,
  args: readonly string[],
  exit: (code: number) => void,
): Promise<void> {
  const { wholeNumber } = await import('../../sim/command-line/flag.ts');
  const commandName = args.find((word) => !word.startsWith('-'));
  for (const [heading, group] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const [name, [summary, load]] of Object.entries(group)) {
      const command = program.command(name).summary(summary);
      if (name === commandName || args.length === 0) (await load()).define(command, wholeNumber, exit);
    }
  }
}

/** The text of an option, its choices, and its default unless the text has it. */
function describe({ description, argChoices = [], defaultValue, defaultValueDescription, negate }: Option): string {
  const choices = argChoices.length === 0 ? '' : `: ${argChoices.join(', ')}`;
  const [says = '', ...more] = description.split(' (default');
  const defaults = more.map((text) => ` (default${text}`).join('');
  const isPlain = negate || defaultValue === undefined || typeof defaultValue === 'boolean';
  const value = isPlain ? '' : ` (default: ${defaultValueDescription ?? String(defaultValue)})`;
  return `${says}${choices}${defaults || value}`;
}

/** Wraps wide paragraphs, and puts the text of examples below them: commands stay whole. */
function wrapped(help: string, columns: number, layout: Help): string {
  const isTooWide = (text: string) => text.split('\n').some((line) => line.length > columns);
  const examplePattern = /^( {2}cselab .*?\S) {2,}(?=\S)/;
  const wrapsExamples = help.split('\n').some((line) => examplePattern.test(line) && isTooWide(line));
  return help
    .split(/(^\n|\n(?:\n|$|(?= |[^\n]*:\n|Exit codes)))/)
    .map((piece) => {
      if (piece.startsWith(' ')) return wrapsExamples ? piece.replace(examplePattern, '$1\n      ') : piece;
      return isTooWide(piece) ? layout.boxWrap(piece.replace(/\s+/g, ' '), columns) : piece;
    })
    .join('');
}

/** Says what went wrong on stderr and returns the exit code. */
function explain(error: unknown): number {
  if (!(error instanceof Error)) throw error;
  const usage = usageErrors.has(error.name);
  io().stderr.write(`cselab: ${usage ? error.message : (error.stack ?? error.message)}\n`);
  return usage ? 2 : 3;
}
