/** The flags of `cselab check` that start the target as a container. */
import { type Command, InvalidArgumentError } from 'commander';

export interface ContainerFlags {
  /** Name of an image; true: the one that the target file names. */
  container?: string | true;
  /** In the container. */
  port?: number;
  /** NAME=value, or NAME. */
  env?: string[];
}

export function addContainerFlags(command: Command, wholeNumber: (text: string) => number): Command {
  return command
    .optionsGroup('A container as the target:')
    .option('--container [image]', 'start a CSE of this image, judge it and stop it (default: of the target file)')
    .option('--port <number>', 'with --container: the port at which the CSE listens in it', (text) =>
      portIn(wholeNumber(text)),
    )
    .option('--env <name=value>', 'with --container: a variable of its environment; repeatable', (text, list = []) => [
      ...(list as string[]),
      variableIn(text),
    ]);
}

function portIn(number: number): number {
  if (number >= 1 && number <= 65_535) return number;
  throw new InvalidArgumentError('It is a port from 1 to 65535.');
}

function variableIn(text: string): string {
  if (/^[A-Za-z_][\w.-]*(=|$)/.test(text)) return text;
  throw new InvalidArgumentError('Write NAME=value, or NAME for that of this environment.');
}
