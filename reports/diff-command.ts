/** `cselab diff`: the same generated sequences of requests at two targets, and where they part. */

import { type Command, Option } from 'commander';
import { collect, formerFault, takeFormerFault } from './deviation-flag.ts';
import type { Given } from './diff/sides.ts';
import { restartFlag } from './restarter.ts';
import { addSafetyFlags, atLeastOne, hideReadOnly, type SafetyFlags } from './safety-flags.ts';
import { addTargetFlags, type FlagParsers } from './target-flags.ts';

/** What is said of a target, or may be said of each, comes as a list in the order of the command line. */
export interface DiffFlags extends Pick<SafetyFlags, 'readOnly' | 'ledger'> {
  given: readonly Given[];
  runs?: number;
  seed?: number;
  path?: string;
  maxTime?: number;
  maxDifferences?: number;
  focus?: string[];
  level?: 'documented' | 'gap';
  deviation?: string[];
  jobs?: number;
  timeout?: number;
  out: string;
  json?: true;
  color: boolean;
  verbose?: true;
}

const examples = `
The targets are called A and B, in the order in which --url, --target and --in-process name them; where one is named alone, B is the
reference CSE in this process. A --url right after a --target whose file has no URL belongs to it. What is said of targets holds for
both if it is given once; given twice, the first is for A and the second for B; --header is for both. --deviation is for the first of
them that is in process.

A sequence creates, reads, updates, removes and discovers resources below names of its own, at both. Each kind of difference is made
small and told once, with the requirement that one of them does not keep, or the gap of the specification that permits both. What
differs without being told, such as identifiers and times, is listed by --verbose.
A target that dies is waited for as by check; which of them died, and of what, is a difference of its own.
Exit codes: 0 no difference, 1 a difference, 2 usage, 3 a target is unreachable or dead, 4 nothing was compared, 130 interrupted; what was
found until then is told and written.

Examples:
  cselab diff --url http://127.0.0.1:8000 --url http://127.0.0.1:9000
  cselab diff --target a.yaml --target b.yaml --max-time 60s
  cselab diff --in-process --url http://127.0.0.1:8000      the reference CSE, and a gateway
  cselab diff --target acme --url http://127.0.0.1:8080 --dialect documented
  cselab diff --url http://127.0.0.1:8000 --level documented   only what a requirement decides
  cselab diff --in-process --deviation container.cni.one-behind    how a CSE parts from ours that is wrong on purpose
  cselab diff --in-process --url http://127.0.0.1:8000 --seed 7 --path 1:0:4`;

export function addDiffCommand(program: Command, { wholeNumber, duration }: FlagParsers): void {
  const command = program
    .command('diff')
    .summary('find where two CSEs answer the same requests differently')
    .description('send the same generated sequences to two targets, and make every way in which they part small');
  addSafetyFlags(addTargetFlags(command, { wholeNumber, duration }), { wholeNumber, duration });
  hideReadOnly(command).option(...restartFlag);
  const given = listeningTo(command);
  command
    .optionsGroup('The sequences:')
    .option('--runs <number>', 'sequences that are tried (default: 200)', wholeNumber)
    .option(
      '--seed <number>',
      'what the sequences are made from (default: a random number, which is told)',
      wholeNumber,
    )
    .option('--path <path>', 'only the sequence at this path of the seed')
    .addOption(
      new Option('--max-time <duration>', 'after which no new sequence begins, such as 60s').argParser(duration),
    )
    .option(
      '--max-differences <number>',
      'different differences after which it ends (default: 5)',
      atLeastOne(wholeNumber),
    )
    .option('--focus <ids...>', 'only what these requirements, or prefixes of such, decide or leave open')
    .addOption(
      new Option('--level <level>', 'which differences are told: those that a requirement decides, or gaps as well')
        .choices(['documented', 'gap'])
        .default('gap'),
    )
    .option('--deviation <id>', 'the reference CSE is wrong on purpose in this way; repeatable', collect)
    .addOption(formerFault())
    .hook('preAction', takeFormerFault)
    .option('--jobs <number>', 'sequences at the same time (default: 8; in process 1)', atLeastOne(wholeNumber))
    .addOption(new Option('--timeout <duration>', 'for one request (default: 12s)').argParser(duration))
    .optionsGroup('What is told:')
    .option('--out <dir>', 'where the directory of counterexamples is written', 'reports/latest')
    .option('--json', 'as JSON')
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .option('-v, --verbose', 'everything that may differ without being told, and how often each requirement was judged')
    .addHelpText('after', examples)
    .action(async (flags: Omit<DiffFlags, 'given'>) => {
      const { runDiff } = await import('./diff/run-diff.ts');
      await runDiff({ ...flags, given });
    });
}

/** What the command line says by the flags that the command has by now, in its order: commander keeps the last of each only. */
function listeningTo(command: Command): readonly Given[] {
  const given: Given[] = [];
  for (const option of command.options) {
    const name = option.attributeName();
    command.on(`option:${option.name()}`, (text: unknown) => {
      // Headers are collected: each time the last of them is new.
      const value: unknown = name === 'header' ? text : command.getOptionValue(name);
      given.push({ name, value });
    });
  }
  return given;
}
