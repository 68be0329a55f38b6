/** Flags as values: their names, help texts and values; and commands made of them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDuration, millisecondsOf } from '../environment/clock.ts';

/** One flag of a command line; `Value` is what the command gets, with `undefined` where it may be absent. */
export class Flag<Value> {
  declare readonly value: Value;
  readonly #make: (name: string) => readonly Option[];

  constructor(make: (name: string) => readonly Option[]) {
    this.#make = make;
  }

  /** The flag of this name as options of commander: two where it has a `--no-` form, too. */
  options(name: string): readonly Option[] {
    return this.#make(name);
  }

  /** The same flag with another help text. */
  withHelp(help: string): Flag<Value> {
    return this.#changed((option) => Object.assign(option, { description: help }));
  }

  /** The same flag with a short form of one letter. */
  short(short: string): Flag<Value> {
    return this.#changed((option) => Object.assign(option, { short, flags: `${short}, ${option.flags}` }));
  }

  /** The same flag, not listed in the help. */
  hidden(): Flag<Value> {
    return this.#changed((option) => option.hideHelp());
  }

  /** Its default; `display` is how the help writes that. */
  or(usual: Exclude<Value, undefined>, display?: string): Flag<Exclude<Value, undefined>> {
    return this.#changed((option) => option.default(usual, display));
  }

  mandatory(): Flag<Exclude<Value, undefined>> {
    return this.#changed((option) => option.makeOptionMandatory());
  }

  reading<Parsed>(parse: (text: string) => Parsed): Flag<Parsed | Exclude<Value, string>> {
    return this.#changed((option) => option.argParser(parse));
  }

  /** May be given several times, each with several values. */
  repeatable(parse: (text: string) => string | string[] = String): Flag<string[] | undefined> {
    const collect = (one: string, former: string[] = []): string[] => former.concat(parse(one));
    return this.#changed((option) => Object.assign(option.argParser(collect), { isRepeatable: true }));
  }

  of<Word extends string>(words: readonly Word[]): Flag<Word | undefined> {
    return this.#changed((option) => option.choices(words));
  }

  /** With its opposite beside it: neither holds unless given. */
  not(help: string): Flag<Value | false> {
    return new Flag((name) => [...this.options(name), ...negated(help).options(name)]);
  }

  #changed<Changed>(change: (option: Option) => Option): Flag<Changed> {
    return new Flag((name) => this.options(name).map(change));
  }
}

/** Whether it may be given several times. */
export const isRepeatable = (option: Option): boolean => 'isRepeatable' in option;

/** As the flag of a name is written: `--max-time` of `maxTime`, `-x` of `x`. */
export function written(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The type of a value that is written so: one or several, and perhaps none. */
type Plain<Value extends string> =
  | (Value extends `${string}...${string}` ? string[] : string)
  | (Value extends `[${string}` ? true : never)
  | undefined;

export const toggle = (help: string) => new Flag<true | undefined>((name) => [new Option(written(name), help)]);
/** Written `--no-…`: true unless it is given. */
export const negated = (help: string) =>
  new Flag<boolean>((name) => [new Option(written(name).replace('--', '--no-'), help)]);
export const valued = <const Value extends string>(value: Value, help: string) =>
  new Flag<Plain<Value>>((name) => [new Option(`${written(name)} ${value}`, help)]);
export const number = (help: string) => valued('<number>', help).reading(wholeNumber);
export const port = (help: string) => valued('<number>', help).reading(portNumber);
export const positive = (help: string) => valued('<number>', help).reading(atLeastOne);
export const time = (help: string) => valued('<duration>', help).reading(duration);

export type Flags = Readonly<Record<string, Flag<unknown>>>;
type ValueIn<F> = F extends Flag<infer Value> ? Value : never;
type Absent<F> = { [Name in keyof F]: undefined extends ValueIn<F[Name]> ? Name : never }[keyof F];

/** What a command gets of such flags. */
export type FlagValues<F> = { [Name in Absent<F>]?: Exclude<ValueIn<F[Name]>, undefined> } & {
  [Name in Exclude<keyof F, Absent<F>>]: ValueIn<F[Name]>;
};

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a whole number.');
}

export function portNumber(text: string): number {
  const number = wholeNumber(text);
  if (number <= 65_535) return number;
  throw new InvalidArgumentError('Ports end at 65535.');
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It is at least 1.');
}

/** Milliseconds; a number alone is meant in seconds. */
export function duration(text: string): number {
  const written = /\d$/.test(text) ? `${text}s` : text;
  const milliseconds = isDuration(written) && !written.endsWith('d') ? millisecondsOf(written) : Number.NaN;
  if (milliseconds > 0 && milliseconds < 2 ** 31) return Math.ceil(milliseconds);
  throw new InvalidArgumentError('Write 10s, 500ms or 1m.');
}

/** Reads a comma-separated list of these words. */
export function wordsOf<Word extends string>(known: readonly Word[]): (text: string) => Word[] {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    const unknown = words.filter((word) => !known.some((one) => one === word));
    if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}.`);
    return known.filter((one) => words.includes(one));
  };
}

/** Flags by their heading in the help; those of `''` come first, below the usual one. */
export type FlagGroups = Readonly<Record<string, Flags>>;
type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer All) => void
  ? All
  : never;
export type ValuesOf<Groups extends FlagGroups> = FlagValues<Both<Groups[keyof Groups]>>;

type Arguments = ReadonlyArray<readonly [name: string, says: string]>;
type ArgumentValue<Name> = Name extends `${string}...${string}`
  ? string[]
  : Name extends `[${string}`
    ? string | undefined
    : string;
type ArgumentValues<A extends Arguments> = { -readonly [At in keyof A]: ArgumentValue<A[At][0]> };

/** A command without its name and its summary: its help, its arguments and flags, and what it does. */
export interface CommandSpec<Groups extends FlagGroups, A extends Arguments> {
  /** The summary unless given. */
  readonly help?: string;
  /** Such as `[ids...]`. */
  readonly args?: A;
  readonly flags: Groups;
  /** At the end of the help. */
  readonly examples?: string;
  /** Changes the given flags before it runs. */
  before?(command: Command): void;
  /** Returns the exit code, where that is a number. */
  run(...values: [...ArgumentValues<A>, ValuesOf<Groups>]): unknown;
}

export function addFlags(command: Command, groups: FlagGroups): Command {
  for (const [heading, flags] of Object.entries(groups)) {
    if (heading !== '') command.optionsGroup(heading);
    for (const [name, flag] of Object.entries(flags))
      for (const option of flag.options(name)) command.addOption(option);
  }
  return command;
}

/** Defines a command that has only a name, and maybe a summary. */
type Define = (named: Command, _numbers?: unknown, exit?: (code: number) => void) => Command;

/** A command with flags. */
export function command<Groups extends FlagGroups, const A extends Arguments = []>({
  help,
  args,
  flags,
  examples = '',
  before = () => {},
  run,
}: CommandSpec<Groups, A>): Define {
  return (named, _numbers, exit = () => {}) => {
    named.description(help ?? named.summary());
    for (const one of args ?? []) named.argument(...one);
    return addFlags(named, flags)
      .addHelpText('after', examples)
      .hook('preAction', before)
      .action(async (...all) => {
        const code = await run(...(all.slice(0, -1) as [...ArgumentValues<A>, ValuesOf<Groups>]));
        if (typeof code === 'number') exit(code);
      });
  };
}

/** A command of several subcommands, by their names. */
export function commandOf(help: string, examples: string, actions: Readonly<Record<string, Define>>): Define {
  return (named, ...more) => {
    for (const [name, define] of Object.entries(actions)) define(named.command(name), ...more);
    return named.helpCommand(false).description(help).addHelpText('after', examples);
  };
}
