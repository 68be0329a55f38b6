import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { type ChangeLine, isChangeLine, isRunLine, type LedgerLine, type RunLine } from './ledger-line.ts';

/** Default directory of ledgers. */
export const usualLedgers = '.cselab/ledgers';

/** Runs of this process that still write their ledgers. */
const writing = new Set<string>();

/** A file of lines, each on disk before its request is sent. Only its owner can read it. */
export class LedgerFile {
  readonly path: string;
  readonly #file: number;
  readonly #run: string;
  /** The topmost directory that was created for it. */
  readonly #topmost: string | undefined;

  /** Throws a UsageError if it cannot be written. */
  constructor(directory: string, head: RunLine) {
    this.path = pathOfLedger(directory, head.run);
    this.#run = head.run;
    try {
      this.#topmost = mkdirSync(directory, { recursive: true });
      this.#file = openSync(this.path, 'wx', 0o600);
    } catch (error) {
      throw new UsageError(`--ledger: ${this.path} cannot be written: ${(error as Error).message}`);
    }
    writing.add(head.run);
    this.keep(head);
  }

  /** Returns when the line is written; throws if it cannot be. */
  keep(line: LedgerLine): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    writing.delete(this.#run);
    closeSync(this.#file);
  }

  /** Nothing is left to remember: also removes directories created for it, unless others use them. */
  remove(): void {
    this.close();
    unlinkSync(this.path);
    if (this.#topmost !== undefined) removeEmpty(resolve(this.path, '..'), resolve(this.#topmost));
  }
}

function removeEmpty(directory: string, topmost: string): void {
  try {
    rmdirSync(directory);
  } catch {
    return;
  }
  if (directory !== topmost) removeEmpty(dirname(directory), topmost);
}

/** The content of a ledger. */
export interface ReadLedger {
  readonly path: string;
  readonly head: RunLine;
  readonly changes: readonly ChangeLine[];
}

export function pathOfLedger(directory: string, run: string): string {
  return join(directory, `${run}.ndjson`);
}

/** Every ledger of a directory, the oldest run first; none without the directory. */
export function readLedgers(directory: string): ReadLedger[] {
  const names = filesIn(directory).filter((name) => name.endsWith('.ndjson'));
  const ledgers = names.map((name) => readLedger(join(directory, name))).filter((one) => one !== undefined);
  return ledgers.sort((a, b) => a.head.startedAt.localeCompare(b.head.startedAt));
}

/** The ledger of one run; undefined if none can be read. */
export function readLedgerOf(directory: string, run: string): ReadLedger | undefined {
  const path = pathOfLedger(directory, run);
  try {
    return existsSync(path) ? readLedger(path) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Throws a UsageError for other files, and for other lines: what they lack would be guessed. A line that a crash left unfinished
 * was never sent: if that is the first line, nothing was, and there is no ledger.
 */
function readLedger(path: string): ReadLedger | undefined {
  const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
  if (rest.length === 0) return undefined;
  const head = lineIn(first);
  if (!isRunLine(head)) throw new UsageError(`${path} is no ledger of this version of cselab`);
  const changes = rest.flatMap((text, at) => {
    const line = lineIn(text);
    if (line === undefined || isChangeLine(line)) return line ?? [];
    throw new UsageError(`${path}:${at + 2}: this is no line of a ledger`);
  });
  return { path, head, changes };
}

/** Adds a line to the ledger of a run that is over, whose last line a crash may have cut. */
export function addToLedger(path: string, line: ChangeLine): void {
  appendFileSync(path, `\n${JSON.stringify(line)}\n`);
}

/** Undefined for a line that was cut. */
function lineIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UsageError(`--ledger: ${directory} cannot be read: ${(error as Error).message}`);
  }
}

export function isOfThisMachine({ host }: Pick<RunLine, 'host'>): boolean {
  return host === hostname();
}

/** Whether the process that writes a ledger still runs, as far as this machine can tell. */
export function isInUse({ pid, host, run }: RunLine): boolean {
  if (!isOfThisMachine({ host })) return false;
  // Numbers are reused: an earlier process may have written it.
  if (pid === process.pid) return writing.has(run);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
