/** The flags of `cselab check` that start the target as a container. */
import { InvalidArgumentError } from 'commander';
import { flag, type Given, wholeNumber } from './flag.ts';

export const containerFlags = {
  container: flag(
    '--container [image]',
    'start a CSE of this image, judge it and stop it (default: of the target file)',
  ),
  port: flag('--port <number>', 'with --container: the port at which the CSE listens in it').reading(portIn),
  env: flag('--env <name=value>', 'with --container: a variable of its environment; repeatable').repeatable(variableIn),
};

export type ContainerFlags = Given<typeof containerFlags>;

function portIn(text: string): number {
  const number = wholeNumber(text);
  if (number >= 1 && number <= 65_535) return number;
  throw new InvalidArgumentError('It is a port from 1 to 65535.');
}

function variableIn(text: string): string {
  if (/^[A-Za-z_][\w.-]*(=|$)/.test(text)) return text;
  throw new InvalidArgumentError('Write NAME=value, or NAME for that of this environment.');
}
