/** An ICS in the form of TS-0017: a table of items with reference, status and support. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ownValue } from '../engine/basics/own-value.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { type FeatureId, featureIds, featureOf, isOptional } from './features.ts';
import type { Ics } from './ics.ts';

export interface IcsRow {
  /** The item of TS-0017 if known, else the id of the feature. */
  readonly item: string;
  readonly feature: string;
  /** The table of TS-0017, or `not known`. */
  readonly reference: string;
  /** `m`: mandatory, by the dialect or a profile; `o`: optional. */
  readonly status: 'm' | 'o';
  /** Empty without a claim. */
  readonly support: 'Yes' | 'No' | '';
  readonly remark: string;
}

const tables = z
  .record(z.string(), z.string())
  .parse(parse(readFileSync(new URL('ics-tables.yaml', import.meta.url), 'utf8')));

/** Tables of TS-0017, by item. */
export const tableOfItem: ReadonlyMap<string, string> = new Map(
  Object.entries(tables).flatMap(([table, items]) => items.split(/\s+/).map((item) => [item, table] as const)),
);

export const itemsOf = (id: FeatureId): readonly string[] => featureOf(id).items ?? [id];

export function featureOfItem(item: string): FeatureId | undefined {
  return featureIds.find((id) => id === item || itemsOf(id).includes(item));
}

/** The completed form. `demands`: features that a profile demands. */
export function icsRowsOf({ claims, reasons }: Ics, dialect: Dialect, demands: readonly string[] = []): IcsRow[] {
  return featureIds.flatMap((id) => {
    const claim = ownValue(claims, id);
    const isMandatory = demands.includes(id) || !isOptional(id, dialect);
    return itemsOf(id).map((item) => ({
      item,
      feature: featureOf(id).name,
      reference: referenceOf(item),
      status: isMandatory ? ('m' as const) : ('o' as const),
      support: claim === 'yes' ? 'Yes' : claim === 'no' ? 'No' : '',
      remark: ownValue(reasons, id) ?? '',
    }));
  });
}

function referenceOf(item: string): string {
  const table = tableOfItem.get(item);
  return table === undefined ? 'not known' : `TS-0017 ${table}`;
}

/** As CSV (RFC 4180). */
export function icsText(rows: readonly IcsRow[]): string {
  const columns = ['Item', 'Feature', 'Reference', 'Status', 'Support', 'Remark'] as const;
  const cell = (row: IcsRow, column: (typeof columns)[number]) => quoted(row[column.toLowerCase() as keyof IcsRow]);
  const lines = rows.map((row) => columns.map((column) => cell(row, column)));
  return [columns, ...lines].map((line) => `${line.join(',')}\n`).join('');
}

function quoted(cell: string): string {
  const text = cell.replace(/\s+/g, ' ');
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
