/** `cselab check`: judges a target and hands the events to the reporters. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Failure, failures } from '../scenarios/words.ts';
import { addContainerFlags, type ContainerFlags } from './container-flags.ts';
import { collect } from './deviation-flag.ts';
import { addReportFlags } from './report-flags.ts';
import { type RestartFlags, restartFlag } from './restarter.ts';
import { addSafetyFlags, atLeastOne, type SafetyFlags } from './safety-flags.ts';
import type { ShardFlags } from './shard-flags.ts';
import { addTargetFlags, type TargetFlags } from './target-flags.ts';

export interface CheckFlags extends TargetFlags, ContainerFlags, ShardFlags, SafetyFlags, RestartFlags {
  report?: string[];
  out: string;
  list?: true | string;
  dryRun?: true;
  jobs?: number;
  timeout?: number;
  maxFail?: number;
  tag?: string[];
  excludeTag?: string[];
  again: boolean;
  rules: boolean;
  level?: 'documented' | 'standard';
  failOn?: Failure[];
  minEvidence?: number;
  baseline?: string;
  watch?: true;
  secret?: string[];
  x?: true;
  color: boolean;
  verbose?: true;
}

const examples = `
Ids are scenarios (documented/ae/…), requirements (ae.create.status), prefixes of either, or scenario files.
Exit codes: 0 no deviation in what was checked, 1 a requirement of the dialect is violated, 2 usage or a file that cannot be used,
3 target unreachable or harness fault, 4 inconclusive (nothing that counts, or not all, could be judged), 130 interrupted.
The passphrase of a key is taken from the variable CSELAB_PASSPHRASE, or asked for at the terminal.

Examples:
  cselab check                                     judge the embedded reference CSE
  cselab check --url http://127.0.0.1:8000         judge a CSE that runs somewhere
  cselab check --target acme --url http://127.0.0.1:8080   one of a product that cselab knows
  cselab check --url https://gw:8000 --cacert ca-chain.cert.pem --cert ae.cert.pem --key ae.key.pem --require-cert
  cselab check --container --target acme           start its image, judge it, stop it
  cselab check --container my-cse:1.2 --port 8080 --dialect onem2m --admin CAdmin
  cselab check registration --url http://gw:8000 --as-backend 18000   judge how it registers
  cselab check --dialect onem2m                    judge it by the standard's own binding
  cselab check ae discovery.label -v               only these requirements, with all details
  cselab check my-scenario.yaml --in-process       a scenario file of your own, without a socket
  cselab check my-scenario.yaml --watch            run it again whenever it changes
  cselab check --url http://gw:8000 --baseline known.yaml   red for new deviations only
  cselab check --report terminal --report junit=out/junit.xml --report html`;

export function addCheckCommand(program: Command, wholeNumber: (text: string) => number): void {
  const positive = atLeastOne(wholeNumber);
  const command = program
    .command('check')
    .summary('judge every requirement of the interface at a CSE')
    .description('replay the documented interface against a CSE and judge every requirement')
    .argument('[ids...]', 'what to check; everything when there is none');
  addTargetFlags(command, { wholeNumber, duration });
  addContainerFlags(command, wholeNumber);
  addSafetyFlags(command, { wholeNumber, duration })
    .optionsGroup('What is judged:')
    .addOption(
      new Option('--level <level>', 'what counts with --dialect documented: that specification, or the standard too')
        .choices(['documented', 'standard'])
        .default('documented'),
    )
    .option('--tag <tag>', 'only scenarios with this tag; repeatable', collect)
    .option('--exclude-tag <tag>', 'no scenarios with this tag; repeatable', collect)
    .option('--shard <part>', 'only a part of the plan, such as 1/3; auto: as the index of a Kubernetes Job says')
    .option('--durations <report>', 'JSON report by whose durations the parts are made equal')
    .option('--baseline <file>', 'known deviations: only what is not in it, and what in it cannot stand, is red')
    .option('--min-evidence <number>', 'checks that have to pass before a requirement counts as satisfied', positive)
    .addOption(
      new Option('--fail-on <list>', `what makes a run red, of ${failures.join(', ')}; or none`)
        .argParser((text) => (text.trim() === 'none' ? [] : wordsOf(failures)(text)))
        .default(['violations', 'intermittent'], 'violations,intermittent'),
    )
    .optionsGroup('How it goes on:')
    .option('--list [format]', 'list the chosen scenarios, as text or =json, and send nothing')
    .option('--dry-run', 'list the requests that would be sent, and send nothing')
    .option('--jobs <number>', 'scenarios at the same time (default: 8)', positive)
    .addOption(new Option('--timeout <duration>', 'for one request (default: 12s)').argParser(duration))
    .option('--max-fail <number>', 'stop after so many failed scenarios', positive)
    .option('-x', 'the same as --max-fail 1')
    .option('--watch', 'go on, and run again what a changed scenario, requirement, target or baseline file touches')
    .option(...restartFlag)
    .option(
      '--no-rules',
      'judge by the checks of scenarios alone, and do not look at what was made before it is removed',
    )
    .option('--no-again', 'do not run once more, alone, what failed')
    .optionsGroup('What is told:');
  addReportFlags(command)
    .option('-v, --verbose', 'every requirement, gap and reason')
    .addHelpText('after', examples)
    .action(async (ids: string[], flags: CheckFlags) => {
      const { runCheck } = await import('./run-check.ts');
      await runCheck(ids, flags);
    });
}

/** Reads a list with commas of these words. */
export function wordsOf<Word extends string>(known: readonly Word[]): (text: string) => Word[] {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.filter((word) => !known.some((one) => one === word));
    if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}.`);
    return known.filter((one) => words.includes(one));
  };
}

const unitMilliseconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000 }),
);

/** Milliseconds. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  const milliseconds = Number(number) * (unitMilliseconds.get(unit ?? 's') ?? Number.NaN);
  if (milliseconds > 0 && milliseconds < 2 ** 31) return Math.ceil(milliseconds);
  throw new InvalidArgumentError('Write 10s, 500ms or 1m.');
}
