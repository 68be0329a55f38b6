/** The written rows and the table of variations. The bundle for browsers has what they hold in place of this file's way to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { DialectName } from '../../core/resource-type.ts';
import { eachOf, type Options } from './each.ts';
import type { DeviationRow } from './schema.ts';

/** A file that is no YAML; the message says which, and where it goes wrong. */
class RowFileError extends Error {
  override readonly name = 'RowFileError';
}

function read(file: URL): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? [];
  } catch (error) {
    throw new RowFileError(`${fileURLToPath(file)}: ${(error as Error).message}`);
  }
}

/** Of all files, in the order of their names. Throws a RowFileError. */
export function writtenRows(folder = new URL('../rows/', import.meta.url)): readonly DeviationRow[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => read(new URL(name, folder)) as DeviationRow[])
    .flatMap(eachOf);
}

/** What varies, in which ways (one at a time), what allows it, and where. */
export interface VariationRow {
  readonly what: string;
  readonly ways: Options;
  readonly allowedBy: string;
  /** Of both when absent. */
  readonly dialect?: DialectName;
  /** Shows only to a client of a live target, which keeps pauses and tries again. */
  readonly live?: true;
  /** What is said in the words of rows, though nothing is wrong with it. */
  readonly row?: Omit<DeviationRow, 'id' | 'says'>;
}

export function variationRows(): readonly VariationRow[] {
  return read(new URL('../drawn/variations.yaml', import.meta.url)) as VariationRow[];
}
