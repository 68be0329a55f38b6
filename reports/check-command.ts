/** `cselab check`: judges a target and hands the events to the reporters. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addTargetFlags, type TargetFlags } from './target-flags.ts';

export interface CheckFlags extends TargetFlags {
  report?: string[];
  out: string;
  list?: true | string;
  dryRun?: true;
  jobs: number;
  timeout: number;
  maxFail?: number;
  tag?: string[];
  excludeTag?: string[];
  x?: true;
  color: boolean;
  verbose?: true;
}

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 conformant, 1 a requirement of the dialect is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing that counts, or not all, could be judged), 130 interrupted.
The passphrase of a key is taken from the variable CSELAB_PASSPHRASE, or asked for at the terminal.

Examples:
  cselab check                                     judge the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         judge a CSE that runs somewhere
  cselab check --url https://gw:8000 --cacert ca-chain.cert.pem --cert ae.cert.pem --key ae.key.pem --require-cert
  cselab check registration --url http://gw:8000 --as-backend 18000   judge how it registers
  cselab check --dialect onem2m                    judge it by the standard's own binding
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check --report terminal --report junit=out/junit.xml --report html`;

export function addCheckCommand(program: Command, wholeNumber: (text: string) => number): void {
  const collect = (value: string, list: string[] = []) => [...list, value];
  const atLeastOne = (text: string) => positive(wholeNumber(text));
  const command = program
    .command('check')
    .description('replay the documented interface against a CSE and judge every requirement')
    .argument('[ids...]', 'what to check; everything when there is none');
  addTargetFlags(command, { wholeNumber, duration })
    .option('--report <name[=path]>', 'terminal, json, junit or html; repeatable (default: terminal)', collect)
    .option('--out <dir>', 'where reports without a path go', 'reports/latest')
    .option('--list [format]', 'list the chosen scenarios, as text or =json, and send nothing')
    .option('--dry-run', 'list the requests that would be sent, and send nothing')
    .option('--jobs <number>', 'scenarios at the same time', atLeastOne, 8)
    .addOption(new Option('--timeout <duration>', 'for one request').argParser(duration).default(10_000, '10s'))
    .option('--max-fail <number>', 'stop after so many failed scenarios', atLeastOne)
    .option('-x', 'stop after the first failed scenario')
    .option('--tag <tag>', 'only scenarios with this tag; repeatable', collect)
    .option('--exclude-tag <tag>', 'no scenarios with this tag; repeatable', collect)
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .option('-v, --verbose', 'every requirement, gap and reason')
    .addHelpText('after', examples)
    .action(async (ids: string[], flags: CheckFlags) => {
      const { runCheck } = await import('./run-check.ts');
      await runCheck(ids, flags);
    });
}

function positive(number: number): number {
  if (number > 0) return number;
  throw new InvalidArgumentError('It is at least 1.');
}

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Milliseconds. */
function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  const milliseconds = Number(number) * (unitMilliseconds[unit ?? 's'] ?? Number.NaN);
  if (milliseconds > 0 && milliseconds < 2 ** 31) return Math.ceil(milliseconds);
  throw new InvalidArgumentError('Write 10s, 500ms or 1m.');
}
