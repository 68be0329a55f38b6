/** `cselab merge`: merges the reports of the shards of a run, or of several installations of one target. */

import { dirname } from 'node:path';
import type { RunResult } from '../../scenarios/words.ts';
import { command, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { color, report, verbose } from '../flags/common-flags.ts';
import { renderJson } from '../formats/json-reporter.ts';
import { readJson, readReport } from '../formats/read-report.ts';
import { createReporters, finishAll, type Reporter, sayExit } from '../formats/reporter.ts';
import { contextOf } from '../formats/reporting.ts';
import { isDrawn, runMergeDrawn } from '../merge/merge-drawn.ts';
import { mergeReports } from '../merge/merge-reports.ts';
import { sayWritten, writeWhole } from '../writing/io.ts';

const flags = {
  '': {
    out: valued('<file>', 'where the merged JSON report goes; - is stdout'),
    report,
    color,
    verbose: verbose('every requirement, gap and reason'),
  },
};

type MergeFlags = ValuesOf<typeof flags>;

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
  run: runMerge,
});

async function runMerge(paths: readonly string[], merge: MergeFlags): Promise<number> {
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
}

/** For reporters that write while a run goes on. */
function replayEvents(reporter: Reporter, result: RunResult): void {
  const { run, target, scenarios } = result;
  reporter.onEvent?.({ type: 'run started', run, target, planned: scenarios.length });
  for (const scenario of scenarios) reporter.onEvent?.({ type: 'scenario finished', result: scenario });
  reporter.onEvent?.({ type: 'run finished', result });
}
