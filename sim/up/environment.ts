/** The options of `cselab up` as variables of the environment, which is how containers are told things. */
import type { Command, Option } from 'commander';

const yes: ReadonlySet<string> = new Set(['1', 'true', 'yes']);

/**
 * Every option takes its value from `CSELAB_UP_` and its name, such as `CSELAB_UP_HEALTH_PORT`, where the command line does not
 * say it; an option without a value is meant by 1, true or yes. An empty variable says nothing. Before the action of the command.
 */
export function readEnvironment(command: Command, environment: NodeJS.ProcessEnv = process.env): void {
  const said = command.options.filter((option) => isSaid(command, option));
  for (const option of command.options) {
    const value = environment[variableOf(option)] ?? '';
    const flag = takesValue(option) ? `${option.long}=${value}` : `${option.long}`;
    if (!said.includes(option) && says(option, value)) command.parseOptions([flag]);
  }
}

/** `--backend` and `--no-backend` say the same thing. */
function isSaid(command: Command, option: Option): boolean {
  const source = command.getOptionValueSource(option.attributeName());
  return source !== undefined && source !== 'default';
}

function variableOf({ long }: Option): string {
  return `CSELAB_UP_${(long ?? '').replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`;
}

function says(option: Option, value: string): boolean {
  return takesValue(option) ? value !== '' : yes.has(value.toLowerCase());
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;
