/** `cselab compare`: what several targets do, or what changed between two runs of one. */
import { type Command, Option } from 'commander';
import { wordsOf } from './check-command.ts';
import { type CompareFormat, compareFormats, type Regression, regressions } from './compare/formats.ts';

export interface CompareFlags {
  format?: CompareFormat;
  out?: string;
  all?: true;
  runs?: true;
  matrix?: true;
  failOn?: Regression[];
  color: boolean;
}

const examples = `
Two reports of one target (address and product are the same) are compared as runs, the earlier one first: what is broken, new,
still failing, fixed and gone. Other reports become a matrix of requirements by targets. --runs and --matrix insist on one of them.
Exit codes: 0 compared, 1 with --fail-on where something of that kind was found, 2 usage or a report that cannot be read.

Examples:
  cselab compare yesterday.json today.json --fail-on broken,new
  cselab compare openmtc.json acme.json tinyiot.json mobius.json --out matrix.html
  cselab compare main.json branch.json --format markdown >> "$GITHUB_STEP_SUMMARY"`;

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .summary('put reports beside each other: several targets, or two runs')
    .description('put the reports of several targets, or two runs of one target, beside each other')
    .argument('<reports...>', 'JSON reports')
    .addOption(
      new Option('--format <name>', 'how it is written (default: by the ending of --out, or text)').choices(
        compareFormats,
      ),
    )
    .option('--out <file>', 'where it goes; stdout when absent')
    .option('--all', 'rows in which nothing differs as well')
    .option('--runs', 'these are two runs of one target')
    .option('--matrix', 'these are different targets')
    .addOption(
      new Option('--fail-on <list>', `exit with 1 for what is ${regressions.join(', ')}`).argParser(
        wordsOf(regressions),
      ),
    )
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .addHelpText('after', examples)
    .action(async (paths: string[], flags: CompareFlags) => {
      const { runCompare } = await import('./compare/run-compare.ts');
      await runCompare(paths, flags);
    });
}
