/** The written rows and the table of variations. The bundle for browsers has what they hold in place of this file's way to them. */
import { readdirSync } from 'node:fs';
import type { DialectName } from '../../core/resource-type.ts';
import type { Wire } from '../../dialects/http-message.ts';
import { eachOf, type Options } from './each.ts';
import { readRows } from './read-rows.ts';
import type { DeviationRow } from './schema.ts';

const folder = new URL('../rows/', import.meta.url);

/** Of all files, in the order of their names. Throws a RowFileError. */
export function writtenRows(): readonly DeviationRow[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => readRows<DeviationRow>(new URL(name, folder)))
    .flatMap(eachOf);
}

/** What varies, in which ways (one at a time), what allows it, and where. */
export interface VariationRow {
  readonly what: string;
  readonly ways: Options;
  readonly allowedBy: string;
  /** Of both when absent. */
  readonly dialect?: DialectName;
  /** Over this wire alone. */
  readonly wire?: Wire;
  /** Shows only to a client of a live target by HTTP, which keeps pauses and tries again. */
  readonly live?: true;
  /** What is said in the words of rows, though nothing is wrong with it. */
  readonly row?: Omit<DeviationRow, 'id' | 'says'>;
}

export function variationRows(): readonly VariationRow[] {
  return readRows(new URL('../drawn/variations.yaml', import.meta.url));
}
