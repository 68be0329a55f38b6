import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { secretsNamed } from '../../scenarios/results.ts';
import { Redactor, UsageError } from '../../scenarios/words.ts';
import { type Io, io } from '../writing/io.ts';
import { type ChosenFlags, type ChosenTarget, chosenTarget, type Secrets } from './chosen-target.ts';

/**
 * From now on the output contains neither the values of these environment variables nor the passphrase of a key.
 * Throws UsageError for a variable that is not set, and for a value that is too short to be masked.
 */
export function maskOutput(names: readonly string[], environment: Io['env'] = io().env): Redactor {
  const redactor = new Redactor(secretsNamed(names, environment));
  redactor.learn(environment.CSELAB_PASSPHRASE ?? '');
  for (const stream of [io().stdout, io().stderr]) {
    const write = stream.write.bind(stream) as (...all: unknown[]) => unknown;
    stream.write = (chunk: unknown, ...rest: unknown[]) =>
      write(typeof chunk === 'string' ? redactor.text(chunk) : chunk, ...rest);
  }
  return redactor;
}

/** The target of the flags; masks its values from the environment from now on. */
export function maskedTarget(flags: ChosenFlags, redactor: Redactor): ChosenTarget {
  const chosen = chosenTarget(flags, secrets());
  for (const secret of chosen.secrets) redactor.learn(secret);
  return chosen;
}

/** What must not stand on a command line, which every user of the machine can read. */
export function secrets(): Secrets {
  const { stdin, stderr, env } = io();
  const passphrase = env.CSELAB_PASSPHRASE;
  const ask = passphraseAsker(stdin, stderr);
  const answers = new Map<string, Promise<string>>();
  // Asks only once, however often the same files are read.
  const askPassphrase =
    ask &&
    ((file: string) => {
      const answer = answers.get(file) ?? ask(file);
      answers.set(file, answer);
      return answer;
    });
  return { ...(passphrase !== undefined && { passphrase }), ...(askPassphrase && { askPassphrase }) };
}

/** Asks for the passphrase of a file without echo; undefined without a terminal. */
export function passphraseAsker(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  screen: { write(text: string): unknown },
): ((file: string) => Promise<string>) | undefined {
  if (input.isTTY !== true) return undefined;
  return (file) =>
    new Promise((resolve, reject) => {
      screen.write(`Passphrase of ${file}: `);
      // No echo.
      const lines = createInterface({ input, output: new PassThrough().resume(), terminal: true, historySize: 0 });
      lines.once('line', (line) => {
        resolve(line);
        lines.close();
      });
      // By Ctrl-C and Ctrl-D too.
      lines.once('close', () => {
        screen.write('\n');
        reject(new UsageError('no passphrase was given'));
      });
    });
}
