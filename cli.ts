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
  try {
    await program.parseAsync();
  } catch (error) {
    // Commander has said it already; its own code is 1 for usage, 0 for help.
    process.exitCode = error instanceof CommanderError ? (error.exitCode === 0 ? 0 : 2) : explain(error);
  }
}

interface Definition {
  define(named: Command, wholeNumber: (text: string) => number): unknown;
}

/** By the headings of the help: what each is there for, and where it is defined. */
const commands: Readonly<
  Record<string, Readonly<Record<string, readonly [summary: string, load: () => Promise<Definition>]>>>
> = {
  'For gateway builders, and their build servers:': {
    init: ['write a target file, a first scenario and a workflow', () => import('./reports/commands/init.ts')],
    check: ['judge every requirement of the interface at a CSE', () => import('./reports/commands/check.ts')],
    baseline: [
      'keep a list of known deviations, so that only new ones are red',
      () => import('./reports/commands/baseline.ts'),
    ],
    show: ['list the failures of a report, or tell all about one', () => import('./reports/commands/show.ts')],
    explain: [
      'tell all about one requirement, with examples of right and wrong',
      () => import('./reports/commands/explain.ts'),
    ],
    replay: ['send the scenario of a failure again', () => import('./reports/commands/replay.ts')],
    explore: [
      'try generated sequences of requests, and make what fails small',
      () => import('./reports/commands/explore.ts'),
    ],
    merge: ['make one report of the shards of a run', () => import('./reports/commands/merge.ts')],
    compare: [
      'put reports beside each other: several targets, or two runs',
      () => import('./reports/commands/compare.ts'),
    ],
    lint: ['look for mistakes in scenario, target and baseline files', () => import('./reports/commands/lint.ts')],
  },
  'For integrators, at a gateway that is live:': {
    doctor: [
      'find out what is wrong with a set-up, before anything is judged',
      () => import('./reports/commands/doctor.ts'),
    ],
    probe: [
      'find out what a CSE is and can do, and write its target file',
      () => import('./reports/commands/probe.ts'),
    ],
    diff: ['find where two CSEs answer the same requests differently', () => import('./reports/commands/diff.ts')],
    judge: ['judge recorded traffic, and send nothing', () => import('./reports/commands/judge.ts')],
    record: ['write down what an application sends as a scenario file', () => import('./reports/commands/record.ts')],
    cleanup: [
      'remove what runs that were cut off have left at live targets',
      () => import('./reports/commands/cleanup.ts'),
    ],
  },
  'For application developers:': {
    up: ['start a gateway and a backend to develop against', () => import('./sim/up/up-command.ts')],
    profile: [
      'make a stand-in for a product out of the report of a live run',
      () => import('./reports/commands/profile.ts'),
    ],
    certs: ['make certificates for a laboratory, and look at others', () => import('./certs/certs-command.ts')],
  },
  'About the harness:': {
    list: ['list every requirement, and how many scenarios check it', () => import('./reports/commands/list.ts')],
    mutants: ['see which faults of a CSE the harness notices', () => import('./reports/commands/mutants.ts')],
  },
};

/** Only the one that is named is loaded; each of them where nothing is asked at all. */
async function addCommands(program: Command): Promise<void> {
  const { wholeNumber } = await import('./sim/command-line/flag.ts');
  const named = [first, ...others].find((word) => word !== undefined && !word.startsWith('-'));
  for (const [heading, group] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const [name, [summary, load]] of Object.entries(group)) {
      const command = program.command(name).summary(summary);
      if (name === named || first === undefined) (await load()).define(command, wholeNumber);
    }
  }
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

const [first, ...others] = process.argv.slice(2);
// Scripts ask for it often: nothing is loaded for that.
if (others.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${version()}\n`);
else await commandLine();
