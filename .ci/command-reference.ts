/** Every command, argument and option as Markdown, taken from the program itself. */
import { type Argument, Command, type Option } from 'commander';

/** The program that cli.ts assembles. It does not run: the method that would parse the arguments only keeps it. */
export async function assembledProgram(): Promise<Command> {
  const { parseAsync } = Command.prototype;
  const { argv } = process;
  const listeners = process.stdout.listeners('error');
  let program: Command | undefined;
  Command.prototype.parseAsync = async function keep(this: Command) {
    program = this;
    return this;
  };
  // Without arguments, every command is loaded.
  process.argv = argv.slice(0, 2);
  try {
    await import('../cli.ts');
  } finally {
    process.argv = argv;
    Command.prototype.parseAsync = parseAsync;
    for (const one of process.stdout.listeners('error'))
      if (!listeners.includes(one)) process.stdout.off('error', one as (...args: unknown[]) => void);
  }
  if (program === undefined) throw new Error('cli.ts has parsed nothing');
  return program;
}

/** These commands, in this order, with their subcommands. */
export function commandReference(program: Command, names: readonly string[]): string {
  return names
    .map((name) => program.commands.find((command) => command.name() === name) ?? missing(name))
    .flatMap((command) => partsOf(command, 'cselab'))
    .join('\n\n');
}

function missing(name: string): never {
  throw new Error(`there is no command called ${name}`);
}

function partsOf(command: Command, parent: string): string[] {
  const title = `${parent} ${command.name()}`;
  const inner = command.commands.filter((one) => one.name() !== 'help').flatMap((one) => partsOf(one, title));
  const usage = command.registeredArguments.map(usageOf).join(' ');
  const head = `#### ${title}${usage === '' ? '' : ` ${usage}`}`;
  const rows = [...command.registeredArguments.map(argumentRow), ...optionRows(command)];
  const table = rows.length === 0 ? [] : [['| | |', '|---|---|', ...rows].join('\n')];
  return [head, sentence(command.description()), ...table, ...inner];
}

const usageOf = (argument: Argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `&lt;${name}>` : `[${name}]`;
};

const argumentRow = (argument: Argument) => row(`\`${argument.name()}\``, argument.description, argument);

function optionRows(command: Command): string[] {
  const visible = command.options.filter(({ hidden }) => !hidden);
  const groups = [...new Set(visible.map((option) => option.helpGroupHeading))];
  return groups.flatMap((group) => {
    const rows = visible.filter((option) => option.helpGroupHeading === group).map(optionRow);
    return group === undefined || groups.length === 1 ? rows : [`| **${group.replace(/:$/, '')}** | |`, ...rows];
  });
}

const optionRow = (option: Option) => row(`\`${option.flags}\``, option.description, option);

function row(name: string, says: string, { argChoices = [], defaultValue }: Choosable): string {
  const choices = argChoices.length === 0 ? '' : `: ${argChoices.map((one) => `\`${one}\``).join(', ')}`;
  const saysDefault =
    says.includes('(default') ||
    [undefined, true, false].some((value) => value === defaultValue) ||
    isEmpty(defaultValue);
  const text = `${says}${choices}${saysDefault ? '' : ` (default: ${String(defaultValue)})`}`;
  return `| ${name} | ${text} |`.replaceAll(/(?<! )\|(?! )/g, '\\|');
}

interface Choosable {
  readonly argChoices?: readonly string[] | undefined;
  readonly defaultValue?: unknown;
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

function sentence(text: string): string {
  const [first = '', ...rest] = text;
  return `${first.toUpperCase()}${rest.join('')}${/[.:)]$/.test(text) ? '' : '.'}`;
}
