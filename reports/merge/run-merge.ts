/** What `cselab merge` does once its flags are read. */
import { dirname } from 'node:path';
import type { RunResult } from '../../scenarios/index.ts';
import type { MergeFlags } from '../commands/merge.ts';
import { renderJson } from '../json/json-reporter.ts';
import { writeWhole } from '../output-file.ts';
import { readJson, readReport } from '../read-report.ts';
import { createReporters, type Reporter } from '../reporter.ts';
import { contextOf, finishAll, tellExit } from '../reporting.ts';
import { isDrawn, runMergeDrawn } from './merge-drawn.ts';
import { mergeReports } from './merge-reports.ts';

export async function runMerge(paths: readonly string[], merge: MergeFlags): Promise<void> {
  const [first] = paths;
  const { out } = merge;
  // JSON on stdout stands there alone.
  const report = merge.report ?? (out === '-' ? [] : ['terminal']);
  const flags = { ...merge, report, out: out === undefined || out === '-' ? 'reports/latest' : dirname(out) };
  if (first !== undefined && isDrawn(readJson(first))) return runMergeDrawn(paths, flags, out);
  const reporters = createReporters(report, { ...contextOf(flags), isTTY: false });
  const result = mergeReports(paths.map((path) => ({ path, result: readReport(path) })));
  for (const reporter of reporters) replayEvents(reporter, result);
  if (out !== undefined) await writeWhole(out, renderJson(result));
  await finishAll(reporters, result);
  tellExit(result);
}

/** For reporters that write while a run goes on. */
function replayEvents(reporter: Reporter, result: RunResult): void {
  const { run, target, scenarios } = result;
  reporter.onEvent?.({ type: 'run started', run, target, planned: scenarios.length });
  for (const scenario of scenarios) reporter.onEvent?.({ type: 'scenario finished', result: scenario });
  reporter.onEvent?.({ type: 'run finished', result });
}
