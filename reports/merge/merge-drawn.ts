/** Merges parts of a run of drawn deviations. */

import { z } from 'zod';
import type { DrawnTable } from '../../scenarios/index.ts';
import { drawnTableOf } from '../../scenarios/mutants/drawn/drawn-table.ts';
import { UsageError } from '../../scenarios/words.ts';
import { problemsText, readJson } from '../formats/read-report.ts';
import type { ReportingFlags } from '../formats/reporting.ts';
import { drawnReport, reportsOf, writeAll } from '../mutants/reports.ts';
import { say } from '../writing/io.ts';
import { missingShards, mustAgree, mustBeShards, type ReadReport } from './fit.ts';

export function isDrawn(value: unknown): boolean {
  return z.object({ $schema: z.literal(drawnReport.format.$schema) }).safeParse(value).success;
}

/** `cselab merge` for such parts; `whole`: where the table goes. */
export async function runMergeDrawn(
  paths: readonly string[],
  flags: ReportingFlags & { readonly report: readonly string[] },
  whole: string | undefined,
): Promise<number> {
  const merged = whole === undefined ? [] : [`json=${whole}`];
  const outputs = [...reportsOf(flags, drawnReport.stem), ...reportsOf({ report: merged, out: flags.out })];
  const parts = paths.map((path) => ({ path, result: readDrawn(path) }));
  const table = mergedDrawn(parts);
  await writeAll(outputs, drawnReport.toReport(table), flags);
  const missing = missingShards(parts) ?? (table.interrupted ? 'a shard was interrupted' : undefined);
  if (missing !== undefined) say(missing);
  return missing === undefined ? (table.totals.verdicts['false alarm'] > 0 ? 1 : 0) : 4;
}

function readDrawn(path: string): DrawnTable {
  const { data, error } = drawnReport.type.safeParse(readJson(path));
  if (data === undefined)
    throw new UsageError(`${path} is no whole report of what was drawn: ${problemsText(error.issues)}`);
  const { $schema: _schema, schemaVersion: _version, ...table } = data;
  // The deviation is data of the simulator, which is not read here.
  return table as unknown as DrawnTable;
}

const sameInAll: Readonly<Record<string, (table: DrawnTable) => string>> = {
  'version of cselab': ({ version }) => version,
  dialect: ({ dialect }) => dialect,
  'what was drawn': ({ count, of, inPairs, world = '', seed }) =>
    `${count} ${of}${inPairs ? ' in pairs' : ''}${world === '' ? '' : ` (${world})`} by seed ${seed}`,
  'sequences of explore': ({ runs }) => String(runs),
};

/** The table of one whole run. Throws UsageError unless these are different parts of one. */
export function mergedDrawn(parts: readonly ReadReport<DrawnTable>[]): DrawnTable {
  mustAgree(parts, sameInAll);
  mustBeShards(parts);
  const tables = parts.map(({ result }) => result);
  const [{ version, of, dialect, seed, count, inPairs, runs, world } = impossible()] = tables;
  const work = {
    startedAt: tables.map(({ startedAt }) => startedAt).sort()[0] ?? '',
    took: Math.max(...tables.map(({ took }) => took)),
    drawn: Math.max(...tables.map(({ drawn }) => drawn)),
    kept: tables.reduce((sum, { kept }) => sum + kept, 0),
  };
  const question = { version, of, dialect, seed, count, inPairs, runs, ...(world && { world }) };
  const rows = tables.flatMap((table) => table.rows);
  return drawnTableOf(question, work, rows);
}

function impossible(): never {
  throw new TypeError('nothing was to be merged');
}
