/** `cselab explore`: generated sequences of requests against a CSE, until one shows a deviation. */

import { type Command, Option } from 'commander';
import { collect, formerFault, takeFormerFault } from './deviation-flag.ts';
import { type RestartFlags, restartFlag } from './restarter.ts';
import { addSafetyFlags, atLeastOne, hideReadOnly, type SafetyFlags } from './safety-flags.ts';
import { addTargetFlags, type FlagParsers, type TargetFlags } from './target-flags.ts';

export interface ExploreFlags extends TargetFlags, SafetyFlags, RestartFlags {
  pair?: true;
  runs?: number;
  seed?: number;
  path?: string;
  maxTime?: number;
  focus?: string[];
  level?: 'documented' | 'gap';
  deviation?: string[];
  jobs?: number;
  processes?: number;
  wire?: true;
  /** Numbers and sections; true for all. */
  robustness?: true | string[];
  concurrency?: number;
  timeout?: number;
  out: string;
  json?: true;
  color: boolean;
  verbose?: true;
}

const examples = `
A sequence creates, reads, updates, removes and discovers resources below names of its own; a model that is written from the interface
specification says what each answer has to be. The first deviation is made small, and written as a scenario file.
A target that dies is waited for as by check, and the sequence that kills it again is a find of its own.
Exit codes: 0 no deviation, 1 a deviation, 2 usage, 3 target unreachable or dead, 4 nothing was judged, 130 interrupted; the best that
was found until then is told and written.

Examples:
  cselab explore --in-process                           the reference CSE without a socket
  cselab explore --url http://127.0.0.1:8000 --max-time 60s
  cselab explore --focus container.cni discovery        only requirements that begin so
  cselab explore --seed 7 --path 1:0:4                  exactly the sequence that a counterexample tells
  cselab explore --dialect onem2m --in-process          judged by the standard, with groups, policies and notifications
  cselab explore --wire --url https://127.0.0.1:8000   malformed HTTP: is each refused in an orderly way, and nothing changed?
  cselab explore --robustness --url http://127.0.0.1:8000     a fixed list of malformed and odd HTTP: as it should, tolerable, wrong?
  cselab explore --robustness R-4 R-5.39                only these sections and cases
  cselab explore --concurrency 4 --url http://127.0.0.1:8000     four originators at once: does some order explain what they see?
  cselab explore --in-process --runs 10000 --processes 4   on several processors
  cselab explore --pair --in-process --level gap        a gateway with its backend, and what goes through one to the other
  cselab explore --pair --dialect onem2m --in-process   the same, judged by the standard
  cselab explore --pair --url http://gw:8000 --backend-url http://be:18000 --focus forwarding
  cselab explore --in-process --deviation container.cni.one-behind   how a CSE is found out that is wrong on purpose`;

export function addExploreCommand(program: Command, { wholeNumber, duration }: FlagParsers): void {
  const command = program
    .command('explore')
    .summary('try generated sequences of requests, and make what fails small')
    .description('try generated sequences of requests on a CSE, and make the first that shows a deviation small');
  addSafetyFlags(addTargetFlags(command, { wholeNumber, duration }), { wholeNumber, duration });
  hideReadOnly(command)
    .optionsGroup('The sequences:')
    .option('--pair', 'the target together with its backend: requests go to both, and through each to the other')
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
    .option('--focus <ids...>', 'only these requirements, or prefixes of such; gaps too, where they are named')
    .addOption(
      new Option(
        '--level <level>',
        'what is judged: the specification, or also what the reference CSE does in its gaps',
      )
        .choices(['documented', 'gap'])
        .default('documented'),
    )
    .option('--deviation <id>', 'the reference CSE is wrong on purpose in this way; repeatable', collect)
    .addOption(formerFault())
    .hook('preAction', takeFormerFault)
    .option('--jobs <number>', 'sequences at the same time (default: 8; in process 1)', atLeastOne(wholeNumber))
    .option(
      '--processes <number>',
      'that search at the same time, each with a reference CSE of its own (default: 1)',
      wholeNumber,
    )
    .option(
      '--concurrency <number>',
      'so many originators at the same time; some order of their requests has to explain the answers',
      wholeNumber,
    )
    .option('--wire', 'malformed and odd HTTP, byte by byte, instead of sequences (default: 500 requests, 5s for each)')
    .option(
      '--robustness [numbers...]',
      'the robustness cases of `cselab list --robustness` instead, or those of these numbers and sections, such as R-3',
    )
    .addOption(new Option('--timeout <duration>', 'for one request (default: 12s)').argParser(duration))
    .option(...restartFlag)
    .optionsGroup('What is told:')
    .option('--out <dir>', 'where the directory of counterexamples is written', 'reports/latest')
    .option('--json', 'as JSON')
    .option('--no-color', 'no colours; the variable NO_COLOR and a pipe do the same')
    .option('-v, --verbose', 'how often each requirement was judged')
    .addHelpText('after', examples)
    .action(async (flags: ExploreFlags) => {
      if (flags.robustness !== undefined) {
        const { runRobustness } = await import('./explore/run-robustness.ts');
        return runRobustness(flags, flags.robustness === true ? [] : flags.robustness);
      }
      if (flags.wire) {
        const { runExploreWire } = await import('./explore/ways.ts');
        return runExploreWire(flags);
      }
      if (flags.concurrency !== undefined) {
        const { runExploreTogether } = await import('./explore/ways.ts');
        return runExploreTogether(flags, flags.concurrency);
      }
      const { runExplore } = await import('./explore/ways.ts');
      await runExplore(flags);
    });
}
