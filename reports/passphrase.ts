import { UsageError } from '../scenarios/index.ts';

/** The parts of a terminal that are needed to ask without showing what is typed. */
export interface Keyboard {
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
