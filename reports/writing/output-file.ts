import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../../scenarios/words.ts';
import { visibleLines } from '../facts/wording.ts';
import { io } from './io.ts';

/** A report that could not be written, with the path and the system's reason. */
export class UnwritableReport extends Error {
  override readonly name = 'UnwritableReport';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`cannot write the report ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
  }
}

/** Prints progress and errors on stderr. */
export function say(...lines: readonly string[]): void {
  for (const line of lines) io().stderr.write(`cselab: ${visibleLines(line).join('\n')}\n`);
}

/** Says where the files of a run are; stdout is none. */
export function sayWritten(paths: readonly string[]): void {
  const files = paths.filter((path) => path !== '-');
  if (files.length > 0) say(`written: ${files.map(displayPath).join(', ')}`);
}

/** Relative to the working directory, if below. */
function displayPath(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}

/** Lines on stdout. */
export function print(...lines: readonly string[]): void {
  for (const line of lines) io().stdout.write(`${visibleLines(line).join('\n')}\n`);
}

/** A value for programs. */
export function printJson(value: unknown): void {
  io().stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a whole file or nothing: readers never see half a report. Creates the directories above it. `-` is stdout. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const stdout: { write(content: string | Uint8Array): unknown } = io().stdout;
  if (path === '-') return void stdout.write(content);
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, content, 'utf8');
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new UnwritableReport(path, cause);
  }
}

/** A report, and where it goes: the absolute path of a file, or `-` for stdout. */
export interface Output<Format> {
  readonly name: string;
  readonly format: Format;
  readonly path: string;
}

/**
 * Parses `name` and `name=path`. Throws UsageError for an unknown name, an empty path, and for two reports at one path, unless that is
 * stdout and one `isShared`.
 */
export function outputsOf<Format>(
  specs: readonly string[],
  all: ReadonlyMap<string, Format>,
  defaultPath: (name: string, format: Format) => string,
  isShared: (name: string) => boolean = () => false,
): Output<Format>[] {
  const outputs = specs.map((spec) => {
    const [name = '', ...rest] = spec.split('=');
    const format = all.get(name);
    if (format === undefined) throw new UsageError(`unknown report "${name}"; there are ${[...all.keys()].join(', ')}`);
    if (rest.length > 0 && rest.join('') === '') throw new UsageError(`report "${spec}" names no file after the =`);
    const path = rest.length > 0 ? rest.join('=') : defaultPath(name, format);
    return { name, format, path: path === '-' ? path : resolve(path) };
  });
  const paths = outputs.flatMap(({ name, path }) => (path === '-' && isShared(name) ? [] : path));
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) throw new UsageError(`two reports would be written to ${twice === '-' ? 'stdout' : twice}`);
  return outputs;
}
