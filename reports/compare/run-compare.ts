/** What `cselab compare` does once its flags are read. */
import { UsageError } from '../../scenarios/index.ts';
import type { CompareFlags } from '../compare-command.ts';
import { writeWhole } from '../output-file.ts';
import { readReport } from '../read-report.ts';
import { takesColor } from '../reporting.ts';
import { visibleText } from '../visible-text.ts';
import { type Changes, losesVerdict } from './changes.ts';
import { renderComparisonHtml } from './compare-html.ts';
import { renderComparisonJson } from './compare-json.ts';
import { renderComparisonMarkdown } from './compare-markdown.ts';
import { renderComparison } from './compare-text.ts';
import { type Comparison, comparisonOf } from './comparison.ts';
import { formatOf, type Regression } from './formats.ts';

const fileColumns = 80;

export async function runCompare(paths: readonly string[], flags: CompareFlags): Promise<void> {
  const { all = false, runs, matrix, failOn = [], out } = flags;
  if (runs && matrix) throw new UsageError('--runs and --matrix exclude each other');
  const comparison = comparisonOf(paths.map(readReport), { all, runs: matrix ? false : runs });
  const { changes } = comparison;
  if (failOn.length > 0 && changes === undefined) {
    throw new UsageError('--fail-on is about two runs of one target; these are different targets (see --runs)');
  }
  await writeWhole(out ?? '-', rendered(comparison, flags));
  const found = changes === undefined ? [] : failOn.filter((one) => countOf(changes, one) > 0);
  if (changes === undefined) return;
  const reasons = found.map((one) => `${countOf(changes, one)} ${one}`);
  if (failOn.length > 0 && losesVerdict(changes)) {
    reasons.unshift(`the second run came to no verdict: ${changes.after.exit.reason}`);
  }
  if (reasons.length === 0) return;
  process.exitCode = 1;
  process.stderr.write(`cselab: ${visibleText(reasons.join(', '))}\n`);
}

function rendered(comparison: Comparison, { format, out, color }: CompareFlags): string {
  const screen =
    out === undefined ? { color: color && takesColor(process.stdout), columns: process.stdout.columns } : {};
  switch (format ?? formatOf(out)) {
    case 'html':
      return renderComparisonHtml(comparison);
    case 'markdown':
      return renderComparisonMarkdown(comparison);
    case 'json':
      return renderComparisonJson(comparison);
    default:
      return renderComparison(comparison, { color: screen.color ?? false, columns: screen.columns ?? fileColumns });
  }
}

function countOf({ changes, lost }: Changes, what: Regression): number {
  return what === 'lost' ? lost.length : changes.filter(({ kind }) => kind === what).length;
}
