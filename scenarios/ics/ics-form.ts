/** An implementation conformance statement as a form of TS-0017 has it: a table of items, each with its reference, status and support. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ownValue } from '../engine/basics/own-value.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { type FeatureId, featureIds, featureOf, isOptional } from './features.ts';
import type { Ics } from './ics.ts';

export interface IcsRow {
  /** As TS-0017 calls it, where that is known, else the id of the feature. */
  readonly item: string;
  readonly feature: string;
  /** The table of TS-0017, or `not known`. */
  readonly reference: string;
  /** `m`: mandatory, by the dialect or a profile; `o`: optional. */
  readonly status: 'm' | 'o';
  /** Empty where nothing is claimed. */
  readonly support: 'Yes' | 'No' | '';
  readonly remark: string;
}

const tables = z
  .record(z.string(), z.string())
  .parse(parse(readFileSync(new URL('ics-tables.yaml', import.meta.url), 'utf8')));

/** Of items of TS-0017, the table in which each stands. */
export const tableOfItem: ReadonlyMap<string, string> = new Map(
  Object.entries(tables).flatMap(([table, items]) => items.split(/\s+/).map((item) => [item, table] as const)),
);

/** The items that stand for a feature. */
export const itemsOf = (id: FeatureId): readonly string[] => featureOf(id).items ?? [id];

/** The feature that an item stands for, or says something of. */
export function featureOfItem(item: string): FeatureId | undefined {
  return featureIds.find((id) => id === item || itemsOf(id).includes(item));
}

/** The form, filled in. `demands`: the features that a profile demands. */
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

/** As CSV (RFC 4180), a line for each. */
export function icsText(rows: readonly IcsRow[]): string {
  const lines = rows.map(({ item, feature, reference, status, support, remark }) =>
    [item, feature, reference, status, support, remark].map(quoted).join(','),
  );
  return `${['Item,Feature,Reference,Status,Support,Remark', ...lines].join('\n')}\n`;
}

function quoted(cell: string): string {
  const text = cell.replace(/\s+/g, ' ');
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
