import { AsyncLocalStorage } from 'node:async_hooks';

/** A stream of a terminal, a pipe or a test. */
export interface TextStream {
  readonly isTTY?: boolean;
  /** Of a terminal. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** The context of a command: streams, environment and signals. A process is one. */
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

/** That of the running command; by default this process. */
export const io = (): Io => currentIo.getStore() ?? process;

/** Runs a command with streams, environment and signals of its own. */
export const withIo = <Result>(own: Io, run: () => Result): Result => currentIo.run(own, run);
