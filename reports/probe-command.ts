/** `cselab probe`: finds out how a CSE is reached, how it speaks and what it can, and writes its target file. */
import { type Command, Option } from 'commander';
import { type RestartFlags, restartFlag } from './restarter.ts';
import { addPolitenessFlags, ledgerHelp, riskyFlag } from './safety-flags.ts';
import { addReachFlags, type FlagParsers, type TargetFlags } from './target-flags.ts';

export interface ProbeFlags extends TargetFlags, RestartFlags {
  write?: true;
  out?: string;
  force?: true;
  json?: true;
  timeout?: number;
  ledger?: string;
}

const otherwise = {
  target: 'a file that describes how it is reached, and what is to be respected; flags win',
  base: 'name of its CSE base, where it is known',
  spId: 'its service provider identifier, where it is known',
  originator: 'the only originator with which it is asked (default with a certificate: its identifier)',
  release: 'release of oneM2M that requests name (default: 3)',
};

const examples = `
It asks about 30 times at most, ten times a second at most, and only reads, unless --write is given: then it creates one
application entity of its own with a few resources below it, and removes all of it again. What that is it writes down before,
so that cselab cleanup finds what a probe left that was killed.
What it writes begins with the target file that is shipped for the product that it recognises; what it saw wins.
Exit codes: 0 found, 2 usage, 3 not reachable, or it died, 4 it answers, but not as a CSE whose base can be found, 130 interrupted.

Examples:
  cselab probe http://127.0.0.1:8000                               what it is, with the evidence
  cselab probe https://gw:8000 --cacert chain.pem --out gw.yaml    and a target file for cselab check --target gw.yaml
  cselab probe http://gw:8080 --write --json                       more of what it can do, as JSON`;

export function addProbeCommand(program: Command, parsers: FlagParsers): void {
  const command = program
    .command('probe')
    .summary('find out what a CSE is and can do, and write its target file')
    .description('find out which dialect, names and features a CSE has, and write its target file')
    .argument('[url]', 'the CSE, such as http://127.0.0.1:8000; that of --target when absent')
    .option('--write', 'create a small subtree as well, to see what is accepted; it is removed again')
    .option('--out <file>', 'write a target file')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'as JSON')
    .option('--ledger <dir>', ledgerHelp('where --write writes down what it creates'))
    .option(...restartFlag)
    .option(...riskyFlag);
  addPolitenessFlags(command, parsers);
  addReachFlags(command, parsers, otherwise);
  command
    .addOption(new Option('--timeout <duration>', 'for one request (default: 5s)').argParser(parsers.duration))
    .addHelpText('after', examples)
    .action(async (url: string | undefined, flags: ProbeFlags) => {
      const { runProbe } = await import('./run-probe.ts');
      await runProbe(url, flags);
    });
}
