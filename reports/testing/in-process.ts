/** For tests: a command line without a process of its own. */
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { main } from '../commands/main.ts';
import { type TextStream, withIo } from '../writing/io.ts';

interface TestTerminal {
  readonly env?: Readonly<Record<string, string>>;
  /** Both streams are terminals of this width. */
  readonly columns?: number;
  /** Somebody sits there, who types this line when such a text is written to stderr. */
  readonly types?: (written: string) => string | undefined;
}

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What runs leave behind whose target keeps what it is told to remove. */
const ledgers = mkdtempSync(join(tmpdir(), 'cselab-ledgers-'));
process.once('exit', () => rmSync(ledgers, { recursive: true, force: true }));

function recordingStream(columns: number | undefined): TextStream & { text: string } {
  return {
    text: '',
    ...(columns !== undefined && { isTTY: true, columns }),
    write(text) {
      this.text += text;
      return true;
    },
  };
}

function typingStdin(types: NonNullable<TestTerminal['types']>, screen: ReturnType<typeof recordingStream>) {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true });
  const write = screen.write.bind(screen);
  screen.write = (text) => {
    const line = types(text);
    // Not before who asks listens.
    if (line !== undefined) setImmediate(() => keyboard.write(`${line}\n`));
    return write(text);
  };
  return keyboard;
}

/** `cselab` with these arguments, of which the first is a command. */
export async function run(args: readonly string[], { env, columns, types }: TestTerminal = {}): Promise<Finished> {
  const [stdout, stderr] = [recordingStream(columns), recordingStream(columns)];
  const stdin = types === undefined ? Readable.from([]) : typingStdin(types, stderr);
  const signals = new EventEmitter();
  const own = {
    ...{ stdin, stdout, stderr, env: { CSELAB_LEDGERS: ledgers, ...env } },
    on: (signal: string, listener: () => void) => signals.on(signal, listener),
    off: (signal: string, listener: () => void) => signals.off(signal, listener),
    exit: () => {},
  };
  const [name = ''] = args;
  const commands = { 'In tests:': { [name]: [name, () => import(`../commands/${name}.ts`)] as const } };
  const code = await withIo(own, () => main(args, commands, '0.0.0'));
  return { code, stdout: stdout.text, stderr: stderr.text };
}
