/** What `cselab compare` does once its flags are read. */
import { UsageError } from '../../scenarios/index.ts';
import type { CompareFlags } from '../commands/compare.ts';
import { renderPage } from '../document/html.tsx';
import { renderMarkdown } from '../document/markdown.ts';
import { renderText } from '../document/terminal.ts';
import { writeWhole } from '../output-file.ts';
import { readReport } from '../read-report.ts';
import { takesColor } from '../reporting.ts';
import { visibleText } from '../visible-text.ts';
import type { Changes } from './changes.ts';
import { compareDocument } from './compare-document.ts';
import { renderComparisonJson } from './compare-json.ts';
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
  if (failOn.length > 0 && changes.noVerdict !== undefined) {
    reasons.unshift(`the second run came to no verdict: ${changes.noVerdict}`);
  }
  if (reasons.length === 0) return;
  process.exitCode = 1;
  process.stderr.write(`cselab: ${visibleText(reasons.join(', '))}\n`);
}

function rendered(comparison: Comparison, { format, out, color }: CompareFlags): string {
  const isRead = out === undefined;
  const document = compareDocument(comparison);
  const telling = {
    html: () => renderPage(document),
    markdown: () => renderMarkdown(document),
    json: () => renderComparisonJson(comparison),
    text: () =>
      renderText(document, {
        color: isRead && color && takesColor(process.stdout),
        columns: (isRead ? process.stdout.columns : undefined) ?? fileColumns,
        verbose: false,
      }),
  };
  return telling[format ?? formatOf(out)]();
}

function countOf({ changes, lost }: Changes, what: Regression): number {
  return what === 'lost' ? lost.length : changes.filter(({ kind }) => kind === what).length;
}
