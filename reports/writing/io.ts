import { AsyncLocalStorage } from 'node:async_hooks';

/** What a stream of a terminal, of a pipe or of a test has in common. */
export interface TextStream {
  readonly isTTY?: boolean;
  /** Of a terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** What a command has of whoever runs it: streams, environment and signals. A process is one. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

const currentIo = new AsyncLocalStorage<Io>();

/** That of the command that runs; of this process where none was given. */
export function io(): Io {
  return currentIo.getStore() ?? process;
}

/** Runs a command with streams, environment and signals of its own. */
export function withIo<Result>(own: Io, run: () => Result): Result {
  return currentIo.run(own, run);
}
