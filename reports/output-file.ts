import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A report that could not be written, with the path and the system's reason. */
export class UnwritableReport extends Error {
  override readonly name = 'UnwritableReport';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`cannot write the report ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
  }
}

/** Writes a whole file or nothing: readers never see half a report. Creates the directories above it. `-` is stdout. */
export async function writeWhole(path: string, text: string): Promise<void> {
  if (path === '-') return void process.stdout.write(text);
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, text, 'utf8');
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new UnwritableReport(path, cause);
  }
}
