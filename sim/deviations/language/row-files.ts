/** The written rows and the table of variations. The bundle for browsers has their content in place of this file. */
import { readdirSync } from 'node:fs';
import type { DialectName } from '../../core/resource-type.ts';
import type { Wire } from '../../dialects/http-message.ts';
import { eachOf, type Options } from './each.ts';
import { readRows } from './read-rows.ts';
import type { DeviationRow } from './schema.ts';

const folder = new URL('../rows/', import.meta.url);

/** The rows of all files, in the order of file names. Throws a RowFileError. */
export function writtenRows(): readonly DeviationRow[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => readRows<DeviationRow>(new URL(name, folder)))
    .flatMap(eachOf);
}

/** What varies, its variants, what allows them, and where. */
export interface VariationRow {
  readonly varies: string;
  readonly variants: Options;
  readonly allowedBy: string;
  /** Both when absent. */
  readonly dialect?: DialectName;
  /** Over this wire only. */
  readonly wire?: Wire;
  /** Visible only to a client of a live target over HTTP, which waits and retries. */
  readonly live?: true;
  /** The variation as a row, though it is no deviation. */
  readonly row?: Omit<DeviationRow, 'id' | 'says'>;
}

export function variationRows(): readonly VariationRow[] {
  return readRows(new URL('../drawn/variations.yaml', import.meta.url));
}
