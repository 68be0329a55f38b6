/** `cselab merge`: merges the reports of the shards of a run, or of several installations of one target. */

import { dirname } from 'node:path';
import { z } from 'zod';
import type { DrawnTable } from '../../scenarios/index.ts';
import { drawnTableOf } from '../../scenarios/mutants/drawn/drawn-table.ts';
import { type RunResult, UsageError } from '../../scenarios/words.ts';
import { command, valued } from '../../sim/command-line/flag.ts';
import { color, report, verbose } from '../flags/common-flags.ts';
import { renderJson } from '../formats/json-reporter.ts';
import { problemsText, readJson, readReport } from '../formats/read-report.ts';
import { createReporters, finishAll, type Reporter, sayExit } from '../formats/reporter.ts';
import { contextOf, type ReportingFlags } from '../formats/reporting.ts';
import { missingShards, mustAgree, mustBeShards, type ReadReport } from '../merge/fit.ts';
import { mergeReports } from '../merge/merge-reports.ts';
import { drawnReport, reportsOf, writeAll } from '../mutants/reports.ts';
import { say, sayWritten, writeWhole } from '../writing/output-file.ts';

const flags = {
  '': {
    out: valued('<file>', 'where the merged JSON report goes; - is stdout'),
    report,
    color,
    verbose: verbose('every requirement, gap and reason'),
  },
};

const examples = `
Shards fit together when one version of cselab judged one target by one plan; what does not fit is refused (exit code 2).
The verdicts are those of a single run, and so is the exit code; a missing shard makes it 4. Parts of cselab mutants --drawn are merged the same way, with the reports that it has.

Examples:
  cselab merge shard-1.json shard-2.json shard-3.json --out report.json
  cselab merge out/shard-*.json --report terminal --report junit=junit.xml --report html=report.html
  cselab merge plain.json mutual.json              two installations of one CSE`;

export const define = command({
  help: 'merge the shards of a run into one report, with the verdicts of the whole',
  args: [['<reports...>', 'JSON reports']],
  flags,
  examples,
  async run(paths, merge) {
    const [first] = paths;
    const { out } = merge;
    // JSON on stdout stands there alone.
    const report = merge.report ?? (out === '-' ? [] : ['terminal']);
    const flags = { ...merge, report, out: out === undefined || out === '-' ? 'reports/latest' : dirname(out) };
    if (first !== undefined && isDrawn(readJson(first))) return runMergeDrawn(paths, flags, out);
    const reporters = await createReporters(report, { ...contextOf(flags), isTTY: false });
    const result = mergeReports(paths.map((path) => ({ path, result: readReport(path) })));
    for (const reporter of reporters) replayEvents(reporter, result);
    if (out !== undefined) await writeWhole(out, renderJson(result));
    await finishAll(reporters, result);
    sayWritten([out ?? '-']);
    return sayExit(result);
  },
});

/** For reporters that write while a run goes on. */
function replayEvents(reporter: Reporter, result: RunResult): void {
  const { run, target, scenarios } = result;
  reporter.onEvent?.({ type: 'run started', run, target, planned: scenarios.length });
  for (const scenario of scenarios) reporter.onEvent?.({ type: 'scenario finished', result: scenario });
  reporter.onEvent?.({ type: 'run finished', result });
}

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
  const { version, of, dialect, seed, count, inPairs, runs, world } = mustAgree(parts, sameInAll);
  mustBeShards(parts);
  const tables = parts.map(({ result }) => result);
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
