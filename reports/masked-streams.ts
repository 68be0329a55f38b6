import { Redactor, secretsNamed, UsageError } from '../scenarios/index.ts';
import { type ChosenFlags, type ChosenTarget, chosenTarget, type Secrets } from './commands/chosen-target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * From now on nothing that this process prints holds the values of these environment variables, nor the passphrase of a key.
 * Throws UsageError for a variable that is not set, and for a value that is too short to be masked.
 */
export function maskOutput(names: readonly string[], environment: Environment = process.env): Redactor {
  const redactor = new Redactor(secretsNamed(names, environment));
  redactor.learn(environment.CSELAB_PASSPHRASE ?? '');
  for (const stream of [process.stdout, process.stderr]) maskStream(stream, redactor);
  return redactor;
}

/** The part of a stream through which all text goes. */
interface Writable {
  write(chunk: string | Uint8Array, ...rest: never[]): boolean;
}

function maskStream(stream: Writable, redactor: Redactor): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk, ...rest) => write(typeof chunk === 'string' ? redactor.text(chunk) : chunk, ...rest);
}

/** The target that flags choose; what it takes from the environment is masked from now on. */
export function chosenMasked(flags: ChosenFlags, redactor: Redactor): ChosenTarget {
  const chosen = chosenTarget(flags, secrets());
  for (const secret of chosen.secrets) redactor.learn(secret);
  return chosen;
}

/** What must not stand on a command line, where everybody on the machine could read it. */
export function secrets(): Secrets {
  const passphrase = process.env.CSELAB_PASSPHRASE;
  const askPassphrase = passphraseAsker(process.stdin, process.stderr);
  return { ...(passphrase !== undefined && { passphrase }), ...(askPassphrase && { askPassphrase }) };
}

/** The parts of a terminal that are needed to ask without showing what is typed. */
interface Keyboard {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', listener: (typed: Buffer) => void): unknown;
  off(event: 'data', listener: (typed: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Ctrl-C and Ctrl-D. */
const refusals = new Set(['\u0003', '\u0004']);
const endKeys = new Set(['\r', '\n', ...refusals]);
const eraseKeys = new Set(['\u007f', '\b']);

/** Asks for the passphrase of a file without showing it; undefined where there is no terminal to ask at. */
export function passphraseAsker(
  keyboard: Keyboard,
  screen: { write(text: string): unknown },
): ((file: string) => Promise<string>) | undefined {
  if (keyboard.isTTY !== true || keyboard.setRawMode === undefined) return undefined;
  return async (file) => {
    screen.write(`Passphrase of ${file}: `);
    keyboard.setRawMode?.(true);
    keyboard.resume();
    try {
      return await typedLine(keyboard);
    } finally {
      keyboard.setRawMode?.(false);
      keyboard.pause();
      screen.write('\n');
    }
  };
}

function typedLine(keyboard: Keyboard): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: readonly string[] = [];
    const read = (typed: Buffer) => {
      const keys = [...typed.toString('utf8')];
      const last = keys.findIndex((key) => endKeys.has(key));
      line = (last < 0 ? keys : keys.slice(0, last)).reduce(withKey, line);
      if (last < 0) return;
      keyboard.off('data', read);
      if (refusals.has(keys[last] ?? '')) reject(new UsageError('no passphrase was given'));
      else resolve(line.join(''));
    };
    keyboard.on('data', read);
  });
}

function withKey(line: readonly string[], key: string): readonly string[] {
  return eraseKeys.has(key) ? line.slice(0, -1) : line.concat(key);
}
