/** The flags that keep a live target safe, and a run polite. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SafetyChoice, TargetChoice } from '../scenarios/index.ts';
import { UsageError, usualLedgers } from '../scenarios/words.ts';

export interface SafetyFlags {
  lifetime?: number | 'none';
  rate?: Rate;
  connections?: number;
  readOnly?: true;
  risky?: true;
  ledger?: string;
}

interface Rate {
  readonly requests: number;
  readonly per: number;
}

/** Those of `FlagParsers`. */
type Parsers = { readonly wholeNumber: (text: string) => number; readonly duration: (text: string) => number };

/** A parser of numbers that refuses 0. */
export function atLeastOne(wholeNumber: Parsers['wholeNumber']): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > 0) return number;
    throw new InvalidArgumentError('It is at least 1.');
  };
}

export function addSafetyFlags(command: Command, parsers: Parsers): Command {
  return addPolitenessFlags(command, parsers)
    .addOption(
      new Option(
        '--lifetime <duration>',
        'after which what a run creates expires, such as 30m; or none (default: 1h)',
      ).argParser((text) => (text === 'none' ? text : (hours(text) ?? parsers.duration(text)))),
    )
    .option('--read-only', 'only scenarios that do nothing but read')
    .option(...riskyFlag)
    .option('--ledger <dir>', ledgerHelp('where a run writes down what it creates'));
}

/** What is otherwise left out at a live target. */
export const riskyFlag = ['--risky', 'also send what is known to corrupt or kill a deployed CSE'] as const;

/** For commands that create something, and explain that when they are asked not to. */
export function hideReadOnly(command: Command): Command {
  command.options.find(({ long }) => long === '--read-only')?.hideHelp();
  return command;
}

/** What holds for everything that is sent. */
export function addPolitenessFlags(command: Command, { wholeNumber }: Parsers): Command {
  return command
    .optionsGroup('To be polite and safe at a live target:')
    .addOption(
      new Option('--rate <rate>', 'most requests in a time, evenly spaced, such as 50/s or 300/m').argParser(rateIn),
    )
    .option(
      '--connections <number>',
      'most connections at the same time, of every kind together',
      atLeastOne(wholeNumber),
    );
}

/** With the default of `--ledger`. */
export function ledgerHelp(what: string): string {
  return `${what} (default: the variable CSELAB_LEDGERS, else ${usualLedgers})`;
}

/** Where ledgers lie: as the flag says, or the environment. */
export function ledgersOf(flag: string | undefined, environment: NodeJS.ProcessEnv = process.env): string {
  return flag ?? (environment.CSELAB_LEDGERS || usualLedgers);
}

/** How the run is kept safe. Throws a UsageError for flags that need a target with a URL. */
export function safetyOf({ readOnly, ledger }: SafetyFlags, { kind }: TargetChoice): SafetyChoice {
  if (kind !== 'url') {
    if (ledger !== undefined) throw new UsageError('--ledger goes with --url');
    return { ...(readOnly && { readOnly }) };
  }
  return { ledger: ledgersOf(ledger), survey: true, ...(readOnly && { readOnly }) };
}

function rateIn(text: string): Rate {
  const [, requests, unit] = /^([1-9]\d{0,6})\/(s|m)$/.exec(text) ?? [];
  if (requests === undefined) throw new InvalidArgumentError('Write 50/s or 300/m.');
  return { requests: Number(requests), per: unit === 'm' ? 60_000 : 1000 };
}

/** A lifetime can be longer than anything that a run waits for. */
function hours(text: string): number | undefined {
  const [, number] = /^(\d{1,4}(?:\.\d+)?)h$/.exec(text) ?? [];
  return number === undefined || Number(number) === 0 ? undefined : Number(number) * 3_600_000;
}
